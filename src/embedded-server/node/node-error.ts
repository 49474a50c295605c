/** An error of a node, of which the service passes on only the code (facts 15.5). */
export class NodeError extends Error {
  override readonly name = "NodeError";
  readonly code: number;

  constructor(code: number) {
    super(`RPC error occurred (code: ${code})`);
    this.code = code;
  }
}
