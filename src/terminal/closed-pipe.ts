/** The reader of the output is gone, as with `| head`: not an error, and nobody is left to show one to. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";

  constructor() {
    super("the reader closed the output");
  }
}
