// Access to S3, by the variables that other programs read too. Checked when a bucket is opened: a machine may have them
// for another purpose.
import Type from 'typebox'

const text = (description: string, env: string, more: { isSecret?: boolean } = {}) =>
  Type.Optional(Type.String({ description, env, ...more }))

export const ObjectsSchema = Type.Object(
  {
    accessKeyId: text('Access key of S3.', 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: text('Its secret; better give a file.', 'AWS_SECRET_ACCESS_KEY', { isSecret: true }),
    secretAccessKeyFile: text(
      'File with the secret, readable by its owner alone; used when the secret is not given.',
      'AWS_SECRET_ACCESS_KEY_FILE',
    ),
    sessionToken: text('Token of temporary keys.', 'AWS_SESSION_TOKEN', { isSecret: true }),
    region: text('Region of the bucket; without it us-east-1.', 'AWS_REGION'),
    endpoint: text("Address of an S3-compatible server; without it Amazon's.", 'AWS_ENDPOINT_URL_S3'),
    awsEndpoint: text('The same, when AWS_ENDPOINT_URL_S3 is not given.', 'AWS_ENDPOINT_URL'),
  },
  { additionalProperties: false, description: 'Buckets of S3, for packs.', default: {} },
)
