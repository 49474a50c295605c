/** So many pieces are put together at a time, so that what is held of them is small compared to the text. */
const MOST_PIECES = 4096;

/** A text that is put together from pieces, however many there are. */
export class Pieces {
  private readonly done: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    if (this.pieces.length < MOST_PIECES) return;
    this.done.push(this.pieces.join(""));
    this.pieces = [];
  }

  toString(): string {
    return [...this.done, ...this.pieces].join("");
  }
}
