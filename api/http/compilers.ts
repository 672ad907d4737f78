// Compilers of the routes' schemas. Each schema is compiled when it is first used, and once per process: compiling all of
// them takes 0.35 s of processor time, which a start of the server and every further server of a process do not spend.
// Assumes that no server adds shared schemas and that no route has a schema for headers.
import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler, FastifySerializerCompiler, FastifyServerOptions } from 'fastify'
import type { FastifyValidationResult } from 'fastify/types/schema.js'

type Validator = FastifySchemaCompiler<unknown>
type Serializer = FastifySerializerCompiler<unknown>

/** Compiled functions by the text of their schema. */
class Compiled<F> {
  private readonly bySchema = new Map<string, F>()

  get(schema: unknown, compile: () => F): F {
    const text = JSON.stringify(schema)
    const known = this.bySchema.get(text)
    if (known !== undefined) return known
    const made = compile()
    this.bySchema.set(text, made)
    return made
  }
}

const validators = new Compiled<FastifyValidationResult>()
const serializers = new Compiled<(data: unknown) => string>()
const buildValidator = AjvCompiler()
const buildSerializer = SerializerSelector()

/** A compiler whose functions call the given one when they are first called; errors are handed on. */
export function lazyValidator(compile: Validator): Validator {
  return (route) => {
    let validate: FastifyValidationResult | undefined
    const lazy: FastifyValidationResult = (data) => {
      validate ??= validators.get(route.schema, () => compile(route))
      const result = validate(data)
      lazy.errors = validate.errors
      return result
    }
    return lazy
  }
}

/** The same for serializers. */
export function lazySerializer(compile: Serializer): Serializer {
  return (route) => {
    let serialize: ((data: unknown) => string) | undefined
    return (data) => {
      serialize ??= serializers.get(route.schema, () => compile(route))
      return serialize(data)
    }
  }
}

/** For `schemaController` of fastify. */
export const LAZY_COMPILERS = {
  compilersFactory: {
    buildValidator: (...options: Parameters<typeof buildValidator>) => lazyValidator(buildValidator(...options)),
    buildSerializer: (...options: Parameters<typeof buildSerializer>) =>
      lazySerializer(buildSerializer(...options) as Serializer),
  },
} as NonNullable<FastifyServerOptions['schemaController']>
