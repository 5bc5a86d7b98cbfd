// A provider of OpenID Connect, at which everybody signs in without a password.
// Called with its port, where the browser of a host comes back to, and the secret of the host.
import Provider from "oidc-provider";

const [port, redirect, secret] = process.argv.slice(2);
const people = {
    ada: { email: "ada@example.org", email_verified: true, name: "Ada Lovelace" },
    bert: { email: "bert@example.org", email_verified: true, name: "Bert" },
    mallory: { email: "bert@example.org", email_verified: false, name: "Mallory" },
};
const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [{ client_id: "upcard", client_secret: secret, redirect_uris: [redirect] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["of this test"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    pkce: { required: () => true },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
