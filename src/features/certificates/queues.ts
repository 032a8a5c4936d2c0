/** Seals that are to be generated or imported. */
export const MAKE_SEAL_QUEUE = 'certificates.make-seal'
/** Certificates whose revocation is to be published. */
export const PUBLISH_QUEUE = 'certificates.publish'
