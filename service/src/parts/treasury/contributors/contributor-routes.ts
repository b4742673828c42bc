import {
  MeBody,
  MeView,
  NewContributorBody,
  NewContributorView,
  ProfileBody,
  ProfileView,
} from '@coinfront/api/treasury.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { listIntents } from '../intents/intent-store.ts';
import { listCoinsOfContributor, listCoinsOfIntents, sumWaiting } from '../ledger/coin-store.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import { findStanding } from '../ledger/standing-store.ts';
import type { ContributorTable, TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { createContributorId } from '../treasury-ids.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import type { Authenticate } from './authenticate-contributor.ts';
import { createContributorSecret, createSecretHash, isWeakSecret } from './contributor-secret.ts';
import { type ContributorChange, insertContributor, updateContributor } from './contributor-store.ts';
import { readChosenNickname, readNickname, refuseNickname } from './read-nickname.ts';
import { describeContributor, serialiseAccount, serialiseProfile } from './serialise-contributor.ts';

/** Contributions and intents that an account shows. */
const SHOWN = 50;

/** `POST /contributors`, `/me` and `/profile`. */
export function registerContributorRoutes(
  app: FastifyInstance,
  context: TreasuryContext,
  authenticate: Authenticate,
): void {
  const { precious, profile, now } = context;
  const hashSecret = createSecretHash(precious);

  registerCall(app, {
    method: 'POST',
    path: '/contributors',
    body: NewContributorBody,
    response: NewContributorView,
    cache: 'none',
    cost: treasuryLimits.registerCost,
    operation: {
      document: 'treasury',
      id: 'registerContributor',
      tag: 'Contributors',
      summary: 'Register a pseudonymous contributor',
      description:
        'Makes an identity out of nothing but a secret. The answer has the secret once; keep it, for nobody can bring it ' +
        'back. It is no key: it moves no coins. A wallet that derives its own secret sends it instead. A nickname is ' +
        'shown only when `public_display` is true, which it is not unless asked for.',
      errors: [
        'nickname_invalid',
        'nickname_taken',
        'contributor_exists',
        'contributor_secret_weak',
        'contributors_exhausted',
        'index_unavailable',
        'treasury_not_configured',
      ],
      bodyExample: treasuryExamples.newContributorBody,
      example: treasuryExamples.newContributor,
      status: 201,
    },
    async call({ body, request }) {
      const given = body.contributor_secret;
      if (given !== undefined && isWeakSecret(given)) {
        throw new AppError(
          'contributor_secret_weak',
          '"contributor_secret" repeats itself too much to be random: draw 32 random bytes, or leave it out.',
        );
      }
      const secret = given ?? createContributorSecret();
      const nickname = body.nickname === undefined ? undefined : readNickname(body.nickname, profile);
      const nowMs = now();
      const row: ContributorTable = {
        id: createContributorId(),
        secret_hash: await hashSecret(secret),
        nickname: nickname?.nickname ?? null,
        is_public: body.public_display === true ? 1 : 0,
        hidden_at: null,
        created_at: nowMs,
        updated_at: nowMs,
      };
      const stored = await insertContributor(
        precious,
        { row, skeletons: nickname?.skeletons ?? [] },
        await context.nameClient(request.ip, nowMs),
        { inAll: treasuryLimits.contributorsPerDay, ofClient: context.perClient?.contributors },
      );
      if (stored === 'nickname_taken' || stored === 'nickname_rests') throw refuseNickname(stored);
      if (stored === 'secret_known') {
        throw new AppError(
          'contributor_exists',
          'A contributor has this secret already: read it with POST /me. Nothing was stored.',
        );
      }
      if (stored === 'day_full' || stored === 'client_full') {
        const whose = stored === 'day_full' ? 'are registered' : 'of your address or network are registered';
        throw new AppError(
          'contributors_exhausted',
          `No more contributors ${whose} today (UTC). Nothing was stored; contributing needs no identity.`,
          { 'retry-after': '3600' },
        );
      }
      return { ...describeContributor(row), contributor_secret: given === undefined ? secret : null };
    },
  });

  registerCall(app, {
    method: 'POST',
    path: '/me',
    body: MeBody,
    response: MeView,
    cache: 'none',
    cost: treasuryLimits.secretCost,
    operation: {
      document: 'treasury',
      id: 'readContributor',
      tag: 'Contributors',
      summary: 'Read a contributor by its secret',
      description:
        'The private view: what was chosen, what was contributed, and the intents with their states. A POST, so that the ' +
        'secret stands in no address and no log.',
      errors: ['contributor_secret_invalid', 'index_unavailable', 'treasury_not_configured'],
      bodyExample: treasuryExamples.secretBody,
      example: treasuryExamples.me,
    },
    async call({ body }) {
      const row = await authenticate(body.contributor_secret);
      const db = precious.query<TreasuryTables>();
      const intents = await listIntents(db, row.id, SHOWN);
      return serialiseAccount(
        {
          row,
          cursor: await findCursor(db),
          standing: await findStanding(db, row.id),
          confirming: await sumWaiting(db, row.id),
          coins: await listCoinsOfContributor(db, row.id, SHOWN),
          intents,
          coinsOfIntents: await listCoinsOfIntents(
            db,
            intents.map(({ id }) => id),
          ),
        },
        context,
      );
    },
  });

  registerCall(app, {
    method: 'POST',
    path: '/profile',
    body: ProfileBody,
    response: ProfileView,
    cache: 'none',
    cost: treasuryLimits.secretCost,
    operation: {
      document: 'treasury',
      id: 'updateContributor',
      tag: 'Contributors',
      summary: 'Change nickname and public display',
      description:
        'Changes what is given and leaves the rest; `nickname: null` takes the nickname away. One that is changed or taken away ' +
        'rests for a year, for everybody but its contributor. A change holds for all that the ' +
        'contributor ever gave: a hidden contributor is "Anonymous" in ledger and leaderboard at once.',
      errors: [
        'contributor_secret_invalid',
        'nickname_invalid',
        'nickname_taken',
        'index_unavailable',
        'treasury_not_configured',
      ],
      bodyExample: treasuryExamples.profileBody,
      example: treasuryExamples.profile,
    },
    async call({ body }) {
      const { nickname, public_display } = body;
      const row = await authenticate(body.contributor_secret);
      // Who has a nickname keeps it, also one that nobody else could choose any more.
      const isSame = nickname === undefined || nickname === row.nickname;
      const change: ContributorChange = {
        ...(isSame ? {} : { nickname: readChosenNickname(nickname, profile) }),
        ...(public_display === undefined ? {} : { is_public: public_display ? 1 : 0 }),
      };
      if (Object.keys(change).length === 0) return serialiseProfile(row);
      const changed = await updateContributor(precious, row.id, change, now());
      if (typeof changed === 'string') throw refuseNickname(changed);
      return serialiseProfile(changed);
    },
  });
}
