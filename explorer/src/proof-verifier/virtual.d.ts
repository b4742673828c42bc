declare module 'virtual:proof-verifier' {
  /** The built text of verify-page.ts. */
  const script: string;
  export default script;
}
