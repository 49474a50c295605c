import type { Operation } from "../operation.ts";
import { deletion } from "../shape.ts";
import { signerShape } from "../signer.ts";

/** service-facts 8.1. */
export const signersList = {
  id: "signers.list",
  kind: "read",
  method: "GET",
  path: "/signers",
  data: signerShape,
  list: true,
  since: "1.1",
} as const satisfies Operation;

/** service-facts 8.1: no secret is answered; a `plain` signer comes back as `local`. */
export const signersGet = {
  id: "signers.get",
  kind: "read",
  method: "GET",
  path: "/signers/{signer_id}",
  data: signerShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** service-facts 8.1. The client makes an id when none is given. */
export const signersCreate = {
  id: "signers.create",
  kind: "create",
  method: "POST",
  path: "/signers",
  data: signerShape,
  since: "1.1",
} as const satisfies Operation;

/** service-facts 8.1: the service refuses every one of these, so that no command sends it. */
export const signersUpdate = {
  id: "signers.update",
  kind: "patch",
  method: "PATCH",
  path: "/signers/{signer_id}",
  data: signerShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** service-facts 8.1; refused while a relayer uses it. */
export const signersDelete = {
  id: "signers.delete",
  kind: "remove",
  method: "DELETE",
  path: "/signers/{signer_id}",
  data: deletion,
  since: "1.1",
} as const satisfies Operation;
