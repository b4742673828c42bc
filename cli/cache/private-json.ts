import { open, rename, unlink } from 'node:fs/promises';

/** Writes a file of JSON for its owner only: whole or not at all. @throws where it cannot be written */
export async function writePrivateJson(path: string, json: object): Promise<void> {
  const { randomBytes } = await import('node:crypto');
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(json)}\n`);
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}
