import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { canonicalText, type Json } from './canonical.ts'

/** Ed25519 over the canonical text, in base64. `privateKey` is PEM (PKCS 8). */
export const signed = (content: Json, privateKey: string): string =>
  sign(null, Buffer.from(canonicalText(content)), createPrivateKey(privateKey)).toString('base64')

/** Whether the signature is of this content and key. `publicKey` is SPKI in base64. */
export const isSigned = (content: Json, signature: string, publicKey: string): boolean =>
  verify(
    null,
    Buffer.from(canonicalText(content)),
    createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
    Buffer.from(signature, 'base64'),
  )

/** The public half of a PEM key, as the policy has it. */
export const publicKeyOf = (privateKey: string): string =>
  createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' }).toString('base64')
