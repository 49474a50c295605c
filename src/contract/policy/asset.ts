/**
 * Returns in the service's words why a text is not a Stellar asset (facts 4.3), or undefined. An empty text is the
 * native asset.
 */
export function assetProblem(text: string): string | undefined {
  if (["", "native", "XLM"].includes(text) || /^C[0-9A-Z]{55}$/.test(text)) return undefined;
  const [code = "", issuer, ...more] = text.split(":");
  if (issuer === undefined || more.length > 0)
    return "Asset identifier must be 'native', 'XLM', 'CODE:ISSUER', or a contract address";
  return codeProblem(code) ?? issuerProblem(issuer);
}

function codeProblem(code: string): string | undefined {
  if (code.length < 1 || code.length > 12) return "Asset code must be between 1 and 12 characters";
  return /^[A-Za-z0-9]+$/.test(code) ? undefined : "Asset code must contain only alphanumeric characters";
}

function issuerProblem(issuer: string): string | undefined {
  if (issuer.length !== 56) return "Issuer address must be 56 characters long";
  if (!issuer.startsWith("G")) return "Issuer address must start with 'G'";
  return /^[0-9A-Z]+$/.test(issuer) ? undefined : "Issuer address must be a valid Stellar address";
}
