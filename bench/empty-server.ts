import Fastify from 'fastify';

// The least that a Fastify server can do: one route, one small JSON object, its schema known. The yardstick of reads.
const app = Fastify({ logger: false });
const schema = { response: { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } } };
app.get('/', { schema }, async () => ({ ok: true }));
process.send?.({ listening: await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) }) });
process.once('SIGTERM', () => app.close());
