/** The one part of undici that is needed; its index would bring all of it. */
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}
