/** The tags of the document, in the order of the reference. */
export const SUB_APIS: Readonly<Record<string, string>> = {
  Overview: 'How things are: what waits, what went wrong, what ends soon.',
  Signing: 'Signature requests: list, read, open and cancel them.',
  'One-step signing': 'A complete signature request, with its signatories and documents, in one call.',
  Sealing: 'Sealing requests, and the documents that belong to them.',
  Certificates: 'What anybody may ask about the authorities of this installation.',
  Metadata: 'Keys and values that belong to a signature request, a signatory, a document or an archive.',
  'Document templating': 'Document templates, and request templates that fill in what a payload leaves out.',
  Onboarding: 'Departments, users and subscription keys.',
  User: 'Profiles of users.',
  Identity: 'Login, logout and passwords.',
  Signatory: 'What the signing page asks for on behalf of the person who opened a personal link.',
  Messages: 'E-mails and text messages: what became of them, and the outbox while none can be sent.',
  Activity: 'Who did what: keys, users, departments, certificates, templates, subscriptions, sign-ins.',
  Storage: 'Stored documents.',
  Validation: 'What the signatures in a PDF are worth: who, when, and what changed afterwards.',
  Event: 'What happened to a signature request.',
  Log: 'The public log over the events of all tenants: signed checkpoints, and hashes in tiles.',
  Archiving: 'How the archiving of a signature request went.',
  Hooks: 'Webhook subscriptions, and the events that they can be made for.',
}

/** Marks the operations that are not among the numbered ones of the interface. */
export const ADDITION = 'Addition'
export const ADDITION_DESCRIPTION =
  'Operations beside the numbered ones of the interface, under the same credentials, errors, paging and rules.'
