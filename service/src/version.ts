import manifest from '../package.json' with { type: 'json' };

/** Version of this service. */
export const serviceVersion: string = manifest.version;
