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
  /** The status of a complete reply that was given; absent while none was. */
  answered?: number;
}

/** What is known of a request that stands for a write that may have been applied: a refusal that was answered in full is none. */
export function mayHaveBeenApplied({ method, answered }: Arrived): boolean {
  const refused = answered !== undefined && answered >= 300 && answered < 500 && answered !== 303 && answered !== 408;
  return method !== "GET" && !refused;
}
