/** The reader of our output is gone, as with `| head`: no fault, and nobody to tell. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";

  constructor() {
    super("the reader closed the output");
  }
}
