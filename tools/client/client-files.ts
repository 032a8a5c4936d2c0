// The parts of client/src that the OpenAPI document decides: a type for every named thing, a method for every operation,
// and a line for each that says where it is.
import type { OpenApiDocument } from '#platform/http/openapi/document.ts'
import { operationFacts, type OperationFacts } from './operation-facts.ts'
import { commentText, fieldText, typeName, typeText } from './type-text.ts'

export const TYPES_PATH = 'client/src/generated/types.ts'
export const OPERATIONS_PATH = 'client/src/generated/operations.ts'

const HEADER =
  '// Written by `npm run openapi` from docs/api/openapi.json. Changes belong into the routes and their schemas.\n'

/** The generated files of the client: where they lie, and their text. */
export function clientFiles(document: OpenApiDocument): [path: string, text: string][] {
  const operations = operationFacts(document)
  return [
    [TYPES_PATH, typesFile(document, operations)],
    [OPERATIONS_PATH, operationsFile(operations)],
  ]
}

function typesFile({ components }: OpenApiDocument, operations: OperationFacts[]): string {
  const types = Object.entries(components.schemas).map(([name, schema]) => {
    const comment = typeof schema['description'] === 'string' ? commentText(schema['description']) : ''
    return `${comment}export type ${typeName(name)} = ${typeText(schema)}\n`
  })
  const methods = operations.map((operation) => `${commentText(operation.said, '  ')}${methodText(operation)}`)
  return [
    HEADER,
    "import type { CallOptions, Content } from '../call.ts'\n\n",
    types.join('\n'),
    '\n/** A method for every operation of the service. */\nexport type Operations = {\n',
    methods.join('\n'),
    '}\n',
  ].join('')
}

function methodText(operation: OperationFacts): string {
  const { text, isOptional } = inputText(operation)
  return `  ${operation.name}(input${isOptional ? '?' : ''}: ${text}, options?: CallOptions): Promise<${outputText(operation)}>\n`
}

/** Everything that an operation is told is one object, whether it travels in the path, the query or the body. */
function inputText(operation: OperationFacts): { text: string; isOptional: boolean } {
  requireDifferentNames(operation)
  const { pathFields, queryFields, body, sendsBytes, isBodyRequired } = operation
  const fields = [
    ...(sendsBytes ? ['    content: Content\n'] : []),
    ...[...pathFields, ...queryFields].map(({ name, required, schema, description }) =>
      fieldText({ name, isRequired: required === true, schema, indent: '    ', ...(description && { description }) }),
    ),
  ]
  const parts = [...(fields.length > 0 ? [`{\n${fields.join('')}  }`] : []), ...(body ? [typeText(body, '  ')] : [])]
  const isOptional = pathFields.length === 0 && !sendsBytes && !(body && isBodyRequired)
  return { text: parts.join(' & ') || 'Record<string, never>', isOptional }
}

function requireDifferentNames({ name, pathFields, queryFields, bodyFields, sendsBytes }: OperationFacts): void {
  const names = [...[...pathFields, ...queryFields].map((field) => field.name), ...bodyFields]
  if (sendsBytes) names.push('content')
  if (new Set(names).size !== names.length) throw new Error(`two inputs of ${name} have the same name`)
}

function outputText({ answersBytes, answers, mayAnswerNothing }: OperationFacts): string {
  const parts = [
    ...new Set(answersBytes ? ['Response'] : answers.map((schema) => typeText(schema, '  '))),
    ...(mayAnswerNothing ? ['undefined'] : []),
  ]
  return parts.join(' | ') || 'undefined'
}

function operationsFile(operations: OperationFacts[]): string {
  return `${HEADER}
/**
 * Where each operation is, and what is special about it:
 * \`bodiless\`: a write without a body · \`query\`: one whose fields travel in the query ·
 * \`sends-bytes\`, \`answers-bytes\`: no JSON ·
 * \`once\`: takes no Idempotency-Key · \`@next,size\`: the parameters of pages
 */
export const OPERATIONS = {
${operations.map((operation) => `  ${operation.name}: '${lineText(operation)}',\n`).join('')}}
`
}

function lineText(operation: OperationFacts): string {
  const { method, path, body, queryFields, sendsBytes, answersBytes, takesIdempotencyKey, paging } = operation
  const isWrite = method !== 'GET'
  if (isWrite && body && queryFields.length > 0) throw new Error(`${operation.name} has a query and a JSON body`)
  return [
    method,
    path,
    isWrite && !body && !sendsBytes && (queryFields.length > 0 ? 'query' : 'bodiless'),
    sendsBytes && 'sends-bytes',
    answersBytes && 'answers-bytes',
    isWrite && !takesIdempotencyKey && 'once',
    paging && `@${paging.next},${paging.size}`,
  ]
    .filter(Boolean)
    .join(' ')
}
