/** The only part of undici that is needed; its index would load all of it. */
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export = Client;
}
