// Loaded with --import before a server: prints every route that it registers, by whatever way.
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) console.error(`registered route ${one} ${url}`)
  })
})
