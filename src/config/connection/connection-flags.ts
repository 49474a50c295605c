/** The flags that say where to, with which token and within which bounds; texts as they were typed. */
export interface ConnectionFlags {
  context?: string;
  server?: string;
  tokenFile?: string;
  demo?: true;
  timeout?: string;
  deadline?: string;
  retries?: string;
  caFile?: string;
  proxy?: string;
  allowHttp?: true;
}
