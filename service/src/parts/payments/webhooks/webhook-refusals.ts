import { AppError } from '../../../errors.ts';

/** There is no such endpoint, or another merchant has it. */
export function webhookNotFound(id: string): AppError {
  return new AppError('webhook_not_found', `There is no webhook endpoint ${id}.`);
}

/** Nothing is sent to an endpoint that is disabled, or not there any more. */
export function webhookDisabled(): AppError {
  return new AppError(
    'webhook_disabled',
    'The webhook endpoint is disabled, or was deleted: nothing is sent to it. Enable it first.',
  );
}
