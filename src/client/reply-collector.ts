import type { Dispatcher } from "undici";
import type { WireReply } from "../contract/wire.ts";
import { TransportFailure } from "./exchange.ts";

/**
 * Collects one reply. `sent` turns true when undici takes a connected socket for this very request, which is before its
 * first byte: while it is false, nothing of the request has left.
 */
export class ReplyCollector implements Dispatcher.DispatchHandler {
  sent = false;
  status: number | undefined;
  private headers: Record<string, string> = {};
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private controller: Dispatcher.DispatchController | undefined;
  private readonly maxBytes: number;
  private readonly done: (reply: WireReply) => void;
  private readonly failed: (error: unknown) => void;

  constructor(maxBytes: number, done: (reply: WireReply) => void, failed: (error: unknown) => void) {
    this.maxBytes = maxBytes;
    this.done = done;
    this.failed = failed;
  }

  abort(reason: Error): void {
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.sent = true;
    this.controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? "")]),
    );
    const encoding = this.headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity")
      controller.abort(this.refuse("encoding", "the reply is compressed, though that was not asked for"));
    if (Number(this.headers["content-length"]) > this.maxBytes) controller.abort(this.tooLarge());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) controller.abort(this.tooLarge());
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.done({ status: this.status ?? 0, headers: this.headers, body: Buffer.concat(this.chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failed(error);
  }

  private tooLarge(): TransportFailure {
    return this.refuse("too_large", `the reply is larger than ${this.maxBytes / 2 ** 20} MiB`);
  }

  private refuse(reason: "encoding" | "too_large", message: string): TransportFailure {
    return new TransportFailure(reason, message, { sent: true, status: this.status });
  }
}
