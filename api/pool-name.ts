/** Pattern of the name of a further pool of the operator. */
export const poolNamePattern = '^[a-z0-9][a-z0-9-]{0,31}$';
