/** The reader of the output is gone, as with `| head`: not an error. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";

  constructor() {
    super("the reader closed the output");
  }
}
