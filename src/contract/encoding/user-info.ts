export function withoutUserInfo(text: string): string {
  return text.replace(/\/\/[^/?#\s]*@/g, "//");
}

/** Returns a URL's user-info for Basic authentication, if any. */
export function credentialsOf(url: string): string | undefined {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
