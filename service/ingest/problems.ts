/** Every reason for which ingest refuses a report; part of the service's table of problems. */
export const INGEST_PROBLEMS = {
  missing_token: {
    status: 401,
    title: 'The report carries no ingest token',
    meaning:
      'Send an ingest token as Authorization: Bearer, as the password of Basic authentication, as ?token=, or in the address as /ingest/TOKEN/PROTOCOL.',
  },
  wrong_token: {
    status: 401,
    title: 'The ingest token is wrong',
    meaning: 'The ingest token is unknown or revoked.',
  },
  invalid_input: {
    status: 400,
    title: 'The report cannot be read',
    meaning: 'The detail names the field, what was expected and what came. Nothing of the report is stored.',
  },
  no_position: {
    status: 400,
    title: 'The report has no position',
    meaning:
      'The position is exactly 0,0, which is how trackers say that they have none. Nothing of the report is stored.',
  },
  encrypted_payload: {
    status: 400,
    title: 'The report is encrypted',
    meaning: 'OwnTracks is set up with an encryption key, which the service does not have. Leave it empty.',
  },
  unknown_device: {
    status: 404,
    title: 'No vehicle has this device',
    meaning: 'The carrier of the token has no vehicle with this device id. Nothing of the report is stored.',
  },
  batch_too_large: {
    status: 413,
    title: 'The batch has too many locations',
    meaning: 'A batch may hold 2,000 locations.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning: 'A report may have a body of 2 MiB.',
  },
} as const;
