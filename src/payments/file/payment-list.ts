import type { JsonObject } from "../../contract/json.ts";
import type { Payment, Payments } from "../payment.ts";

/** The payments that are encoded together. */
const BLOCK = 256;
/** No field of a payment contains a tab or a line feed. */
const [FIELD, RECORD] = ["\t", "\n"];

/** Payments in a third of the memory of objects, outside V8's heap; each is built when it is read. */
export class PaymentList implements Payments {
  private readonly blocks: Block[] = [];
  private open: string[] = [];
  private readonly requests: JsonObject[] = [];
  private readonly indexes = new Map<JsonObject, number>();

  add({ row, line, label, to, value, data, gasLimit, request }: Payment): void {
    const index = this.indexes.get(request) ?? this.requests.push(request) - 1;
    this.indexes.set(request, index);
    const fields = [row, line, to, value, index, gasLimit, data, label];
    this.open.push(fields.map((field) => field ?? "").join(FIELD));
    if (this.open.length < BLOCK) return;
    this.blocks.push(encoded(this.open));
    this.open = [];
  }

  get length(): number {
    return this.blocks.length * BLOCK + this.open.length;
  }

  *[Symbol.iterator](): Generator<Payment, void, undefined> {
    for (const block of this.blocks)
      for (const record of block.bytes.toString(block.encoding).split(RECORD)) yield this.payment(record);
    for (const record of this.open) yield this.payment(record);
  }

  private payment(record: string): Payment {
    const [row, line, to = "", value = "", index, gasLimit, data, label] = record.split(FIELD);
    return {
      row: Number(row),
      line: Number(line),
      ...(label && { label }),
      to,
      value: BigInt(value),
      ...(data && { data }),
      ...(gasLimit && { gasLimit: BigInt(gasLimit) }),
      request: this.requests[Number(index)] ?? {},
    };
  }
}

interface Block {
  bytes: Buffer;
  encoding: "latin1" | "utf16le";
}

function encoded(records: readonly string[]): Block {
  const text = records.join(RECORD);
  // UTF-8 would change a label with half of a surrogate pair, which JSON can contain.
  const encoding = /^[\0-\xff]*$/.test(text) ? "latin1" : "utf16le";
  return { bytes: Buffer.from(text, encoding), encoding };
}
