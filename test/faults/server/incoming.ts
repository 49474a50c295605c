import type { Socket } from "node:net";

export interface Head {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Of the body, as announced. */
  length: number;
}

/** The bytes of a connection, in the order of the requests that they are. */
export interface Incoming {
  /** The head of the next request; nothing when the client has left. */
  head(): Promise<Head | undefined>;
  /** Whether that much of the body came before the client left. */
  arrived(bytes: number): Promise<boolean>;
  /** The body of the present request, as far as it came. */
  body(): string;
  /** Resolves when anything came after the present request, or the client has left. */
  more(): Promise<void>;
  /** Leaves the present request behind. */
  next(): Promise<void>;
  gone: Promise<void>;
}

const END_OF_HEAD = "\r\n\r\n";

export function incoming(socket: Socket): Incoming {
  let bytes = Buffer.alloc(0);
  let left = false;
  let start = 0;
  let length = 0;
  let wake = () => {};
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  });
  const gone = new Promise<void>((resolve) => {
    const leave = () => {
      left = true;
      wake();
      resolve();
    };
    for (const event of ["end", "close", "error"]) socket.on(event, leave);
  });
  const until = async (ready: () => boolean) => {
    while (!ready() && !left) await new Promise<void>((resolve) => (wake = resolve));
    return ready();
  };
  const arrived = (count: number) => until(() => bytes.length >= start + count);
  return {
    gone,
    arrived,
    body: () => bytes.subarray(start, start + length).toString(),
    async head() {
      if (!(await until(() => bytes.includes(END_OF_HEAD)))) return undefined;
      start = bytes.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
      const head = headOf(bytes.subarray(0, start).toString("latin1"));
      length = head.length;
      return head;
    },
    async more() {
      await arrived(length + 1);
    },
    async next() {
      await arrived(length);
      bytes = bytes.subarray(start + length);
    },
  };
}

function headOf(text: string): Head {
  const [first = "", ...lines] = text.trimEnd().split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method, target, headers: named, length: Number(named["content-length"] ?? 0) };
}
