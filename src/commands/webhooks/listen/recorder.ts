import { RelayctlError } from "../../../errors.ts";
import { MAX_RECORD_BYTES, type RecordedDelivery, recordLine } from "../../../webhooks/record.ts";
import type { Call } from "../../command.ts";

export interface Recorder {
  /** Adds a delivery. Resolves when the operating system has it; a file that is full, or fails, is reported once. */
  add(delivery: RecordedDelivery): Promise<void>;
  close(): Promise<void>;
}

/** @throws RelayctlError if the file cannot be written */
export async function openRecorder({ app, say }: Call, path: string): Promise<Recorder> {
  const file = await app.files.extend(path);
  let isOff = false;
  const stop = async (why: string) => {
    if (isOff) return;
    isOff = true;
    await say(`warning: ${why}; further deliveries are not recorded`);
  };
  return {
    async add(delivery) {
      if (isOff) return;
      const line = app.secrets.redact(recordLine(app.secrets.masked(delivery)));
      if (file.size + Buffer.byteLength(line) > MAX_RECORD_BYTES)
        return await stop(`${path} is full (${MAX_RECORD_BYTES / 2 ** 20} MiB)`);
      try {
        await file.add(line);
      } catch (error) {
        if (!(error instanceof RelayctlError)) throw error;
        await stop(error.message);
      }
    },
    close: file.close,
  };
}
