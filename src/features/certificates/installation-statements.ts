import { bytes, integer, nullable, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { ALGORITHMS } from './private-keys.ts'

export const INSTALLATION_KINDS = ['root', 'timestamp', 'responder'] as const

/** Only one process at a time makes certificates of the installation; the others wait and find them made. */
export const holdInstallation = statement({
  name: 'holdInstallation',
  isGlobal: true,
  params: {},
  row: { lock: text },
  sql: `select pg_advisory_xact_lock(hashtextextended('countersign installation', 0))::text as lock`,
})

/** All that there have been with their keys, newest first. */
export const listInstallationSigners = statement({
  name: 'listInstallationSigners',
  isGlobal: true,
  params: {},
  row: {
    id: uuid,
    kind: oneOf(INSTALLATION_KINDS),
    certificate: bytes,
    baseUrl: nullable(text),
    notAfter: time,
    algorithm: oneOf(ALGORITHMS),
    sealed: bytes,
  },
  sql: `select c.id, c.kind, c.certificate, c.base_url as "baseUrl", c.not_after as "notAfter",
               k.algorithm, k.sealed
          from installation_certificate c
          join installation_key k on k.certificate_id = c.id
         order by c.created_at desc, c.id desc
         limit 1000`,
})

/** The living ones without their keys, newest first. */
export const listInstallationCertificates = statement({
  name: 'listInstallationCertificates',
  isGlobal: true,
  params: { now: time },
  row: { kind: oneOf(INSTALLATION_KINDS), certificate: bytes },
  sql: `select kind, certificate
          from installation_certificate
         where not_after > :now
         order by created_at desc, id desc
         limit 100`,
})

export const insertInstallationCertificate = statement({
  name: 'insertInstallationCertificate',
  isGlobal: true,
  params: {
    id: uuid,
    kind: oneOf(INSTALLATION_KINDS),
    certificate: bytes,
    baseUrl: nullable(text),
    notAfter: time,
    now: time,
  },
  sql: `insert into installation_certificate (id, kind, certificate, base_url, not_after, created_at)
        values (:id, :kind, :certificate, :baseUrl, :notAfter, :now)`,
})

export const insertInstallationKey = statement({
  name: 'insertInstallationKey',
  isGlobal: true,
  params: { id: uuid, algorithm: oneOf(ALGORITHMS), sealed: bytes },
  sql: `insert into installation_key (certificate_id, algorithm, sealed) values (:id, :algorithm, :sealed)`,
})

export const listInstallationRoots = statement({
  name: 'listInstallationRoots',
  isGlobal: true,
  params: {},
  row: { certificate: bytes },
  sql: `select certificate from installation_certificate where kind = 'root' order by created_at desc limit 100`,
})

export const listInstallationKeys = statement({
  name: 'listInstallationKeys',
  isGlobal: true,
  params: { after: uuid, most: integer },
  row: { certificateId: uuid, sealed: bytes },
  sql: `select certificate_id as "certificateId", sealed from installation_key
         where certificate_id > :after order by certificate_id limit :most`,
})

export const renewInstallationKey = statement({
  name: 'renewInstallationKey',
  isGlobal: true,
  params: { certificateId: uuid, before: bytes, sealed: bytes },
  sql: `update installation_key set sealed = :sealed where certificate_id = :certificateId and sealed = :before`,
})
