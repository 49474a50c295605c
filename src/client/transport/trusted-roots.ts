import type { SecureContext } from "node:tls";

/** The certificates that connections trust. */
export interface TrustedRoots {
  /** Whether only the user's own certificates are trusted so far. */
  readonly areOwn: boolean;
  context(): Promise<SecureContext>;
  /** Adds Node's certificates to the user's own. */
  addNodes(): void;
}

/**
 * Errors of a chain whose end is not trusted. The last one is that of a server that sends its root too; a certificate
 * that is its own root has another.
 */
const UNKNOWN_ISSUER = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
];

/** Returns whether an error says that more roots could make the certificate trusted. */
export function isUnknownIssuer(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNKNOWN_ISSUER.includes(String(error.code));
}

/**
 * Trusts the user's own certificates alone until `addNodes` is called, since it takes longer to parse all of Node's
 * than to open a connection. Without own certificates, Node's are trusted.
 */
export function createTrustedRoots(own: readonly string[]): TrustedRoots {
  let areOwn = own.length > 0;
  let context: Promise<SecureContext> | undefined;
  async function createContext(): Promise<SecureContext> {
    const tls = await import("node:tls");
    if (own.length === 0) return tls.createSecureContext();
    return tls.createSecureContext({ ca: areOwn ? [...own] : [...tls.rootCertificates, ...own] });
  }
  return {
    get areOwn() {
      return areOwn;
    },
    context() {
      context ??= createContext();
      return context;
    },
    addNodes() {
      if (areOwn) context = undefined;
      areOwn = false;
    },
  };
}
