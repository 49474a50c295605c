/** Something that was really applied. */
export interface Applied {
  /** `PATCH /api/v1/relayers/evm-1` */
  operation: string;
  id: string;
  /** The bytes of the body, as text. */
  body: string;
  at: number;
  origin: string;
}

/** A request as it arrived, whether anything was done about it or not. */
export interface Arrived {
  method: string;
  target: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  connection: number;
  /** The status of a complete response; absent while none was sent. */
  answered?: number;
  /** It was applied, whatever the response. */
  applied?: true;
}

/** Whether a request is a write that may have been applied: not if it was refused in full, and nothing else. */
export function mayHaveBeenApplied({ method, answered = 0, applied }: Arrived): boolean {
  const refused = (answered >= 400 && answered < 500 && answered !== 408) || [301, 302, 307, 308].includes(answered);
  return method !== "GET" && (applied === true || !refused);
}
