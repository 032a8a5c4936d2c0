// The vocabulary of the wire: TypeBox schemas that check what comes in and become the OpenAPI document.
import Type, { type TProperties, type TSchema } from 'typebox'

export const NAME_LENGTH = 255
export const EMAIL_LENGTH = 254

export const Uuid = (description?: string) => Type.String({ format: 'uuid', ...(description && { description }) })
export const Text = (maxLength: number = NAME_LENGTH, options: object = {}) => Type.String({ maxLength, ...options })
export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) })
export const Email = () => Type.String({ format: 'email', maxLength: EMAIL_LENGTH })
/** E.164; spaces, hyphens and a leading 00 are taken out on arrival. */
export const Phone = () => Type.String({ format: 'phone', maxLength: 40 })
export const FileName = () => Type.String({ format: 'file-name', minLength: 1, maxLength: NAME_LENGTH })
export const Language = () => Type.String({ format: 'language', maxLength: 35 })
export const Int32 = () => Type.Integer({ format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 })
/** Base64 of a document. The bytes never reach the handler as text: they lie in the staging area by then. */
export const DocumentContent = () =>
  Type.Unsafe<import('./document-content.ts').DocumentContent>({
    type: 'string',
    format: 'document-content',
    description: 'Document content encoded as Base64.',
  })

export const Optional = Type.Optional
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const Words = <const W extends readonly string[]>(words: W, options: { description?: string } = {}) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })

/** An object that the OpenAPI document, and every client made from it, knows by a name. */
export const Named = <const P extends TProperties>(title: string, properties: P) => Type.Object(properties, { title })

/** A listing: its items and how many there are in all. */
export const Listing = <T extends TSchema>(items: T) => Type.Object({ total: Int32(), items: Type.Array(items) })

export const Nothing = Type.Null({ description: 'No body.' })

export const ErrorBody = Type.Object({
  code: Int32(),
  classification: Words([
    'InvalidArgument',
    'EntityNotFound',
    'UniqueConstraint',
    'ReferenceConstraint',
    'AuthenticationError',
    'AuthorizationError',
    'UserInactiveError',
    'InvalidOperation',
    'InternalError',
  ]),
  message: Nullable(Type.String()),
})

export { Type }
