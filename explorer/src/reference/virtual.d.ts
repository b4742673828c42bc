declare module 'virtual:sdk-functions' {
  /** Functions of the SDK by method and path of the operation that they call. */
  const functions: Readonly<Record<string, string>>;
  export default functions;
}
declare module 'virtual:latest-changes' {
  /** The newest sections of the changelog. */
  const text: string;
  export default text;
}
