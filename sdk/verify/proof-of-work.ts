export {
  findEasiestTarget,
  findWorkKind,
  hasProofOfWork,
  type WorkKind,
} from '@coinfront/protocol/proof-of-work.ts';
