// The parts of an OpenAPI 3.1 document that we write.

/** A JSON Schema of dialect 2020-12, which is what OpenAPI 3.1 speaks. */
export type JsonSchema = { [keyword: string]: unknown }
export type Reference = { $ref: string }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export type Content = Record<string, { schema: JsonSchema }>
export type Header = { description: string; schema: JsonSchema }
export type Response = { description: string; headers?: Record<string, Reference>; content?: Content }

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  /** The number of the operation in the interface. Additions have none. */
  'x-operation'?: number
  'x-permission': string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; description?: string; content: Content }
  responses: Record<string, Response | Reference>
}

export type PathItem = Record<string, Operation>

export type OpenApiDocument = {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    securitySchemes: Record<string, JsonSchema>
  }
}

export function reference(kind: keyof OpenApiDocument['components'], name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` }
}
