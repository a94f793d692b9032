#include "libmemfs/guard/secret_rules.h"

#include <array>

namespace memfs {
namespace {

// A name goes on for a while, then comes a sign that gives it a value, perhaps a quotation mark.
// The full-width colon is there for CJK texts, the no-break space for French, the rest for
// markdown.
#define MEMFS_NAME_END \
  R"([A-Za-z0-9_.-]{0,24}\\?["'`\]*]{0,3}(?:[ ]?\([^()\n]{1,24}\))?\*{0,3}(?:\xC2\xA0)?[ \t]{0,8})"
#define MEMFS_SIGN                                  \
  R"(:[ ]?[A-Za-z]{1,12}[ ]?=|={1,3}>?|:=|=>|:|>|)" \
  "\xEF\xBC\x9A"
#define MEMFS_VALUE_BEGIN R"(\*{0,3}[ \t]{0,8}\\?(?:["'`]|\xE2\x80[\x98-\x9E])?)"
#define MEMFS_GIVES MEMFS_NAME_END "(?:" MEMFS_SIGN ")" MEMFS_VALUE_BEGIN
// The same for prose: "the password of the test server is …", a cell of a table, a dash.
#define MEMFS_SAYS                                                                                \
  MEMFS_NAME_END                                                                                  \
  R"((?:(?:for|of|on|to|in|at|del?|d[aou]|von|dla|voor)[ ][A-Za-z0-9 _.-]{1,24})?(?:)" MEMFS_SIGN \
  R"(|->|(?:(?:was |is )?(?:set|changed) to|is now|is|was|ist|lautet|es|est|to|jest|\xC3\xA9))"   \
  R"([ ]:?|\||-[ ]|\xE2\x80[\x93\x94]|)"                                                          \
  "是|为|為|は|는|은|[ ])" MEMFS_VALUE_BEGIN

constexpr std::array kSecretRules = {
    SecretRule{"github-token", "GitHub access token", "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
               R"(gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"},
    SecretRule{"gitlab-token", "GitLab access, deploy, runner or trigger token",
               "glpat-|gldt-|glrt-|glptt-|glcbt-|glft-|glsoat-|glimt-|glagent-|gloas-",
               R"(gl(?:pat|dt|rt|ptt|cbt|ft|soat|imt|agent|oas)-[A-Za-z0-9_.-]{20,100})"},
    SecretRule{"aws-access-key", "AWS access key id", "akia|asia|abia|acca",
               R"((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})"},
    SecretRule{"aws-secret-key", "AWS secret access key",
               "secret_access_key|secretaccesskey|secret-access-key|aws_secret_key|secretkey",
               R"((?i:secret[_-]?access[_-]?key|aws_secret_key|secretkey))" MEMFS_GIVES
               R"(([A-Za-z0-9/+]{40}))"},
    SecretRule{"google-api-key", "Google API key", "aiza", R"(AIza[A-Za-z0-9_-]{35})"},
    SecretRule{"google-oauth-secret", "Google OAuth client secret or token", "gocspx-|ya29.",
               R"(GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{40,300})"},
    SecretRule{"slack-token", "Slack token", "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxe-|xoxe.|xapp-",
               R"(xox[abprse](?:\.xox[bp])?-[0-9A-Za-z-]{24,300}|xapp-\d-[A-Za-z0-9-]{40,200})"},
    SecretRule{"slack-webhook", "Slack incoming webhook", "hooks.slack.com/",
               R"(hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{30,150})"},
    SecretRule{"stripe-key", "Stripe secret key, restricted key or webhook secret",
               "sk_live_|sk_test_|rk_live_|rk_test_|whsec_",
               R"([sr]k_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/]{32,64}=?)"},
    SecretRule{"anthropic-key", "Anthropic API key", "sk-ant-",
               R"(sk-ant-[a-z]{3,8}\d\d-[A-Za-z0-9_-]{60,160})"},
    SecretRule{"openai-key", "OpenAI API key", "sk-",
               R"(sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,250}|[A-Za-z0-9]{40,64}))"},
    SecretRule{"npm-token", "npm access token", "npm_", R"(npm_[A-Za-z0-9]{36})"},
    SecretRule{"pypi-token", "PyPI upload token", "pypi-age", R"(pypi-AgE[A-Za-z0-9_-]{50,300})"},
    SecretRule{"huggingface-token", "Hugging Face token", "hf_|api_org_",
               R"((?:hf|api_org)_[A-Za-z0-9]{34})"},
    SecretRule{"sendgrid-key", "SendGrid API key", "sg.",
               R"(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"},
    SecretRule{"twilio-key", "Twilio API key", "sk", R"(SK[0-9a-f]{32})"},
    SecretRule{"telegram-token", "Telegram bot token", ":aa", R"(\d{8,10}:AA[A-Za-z0-9_-]{33})",
               SecretCheck::kToken, 10, 60},
    SecretRule{"discord-token", "Discord bot token", "discord",
               R"([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})",
               SecretCheck::kToken, 1, 180},
    SecretRule{"discord-webhook", "Discord webhook",
               "discord.com/api/webhooks/|discordapp.com/api/webhooks/",
               R"((?i:discord(?:app)?\.com)/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,80})"},
    SecretRule{"azure-storage-key", "Azure storage, bus or device key in a connection string",
               "accountkey=|sharedaccesskey=",
               R"((?i:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{43,86}={1,2}))"},
    SecretRule{"azure-client-secret", "Azure application secret", "q~",
               R"([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})", SecretCheck::kToken, 4, 50},
    SecretRule{"azure-sas", "signature of an Azure SAS address",
               "sig=", R"(sig=((?:[A-Za-z0-9+/_-]|%2[BbFf]){43}(?:%3[Dd]|=)?))"},
    SecretRule{
        "teams-webhook", "Microsoft Teams incoming webhook",
        "webhook.office.com/|outlook.office.com/webhook",
        R"((?:webhook|outlook)\.office\.com/webhook[a-z0-9]{0,3}/[0-9a-f-]{36}@[0-9a-f-]{36}/)"
        R"(IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}(?:/[A-Za-z0-9_-]{1,60})?)"},
    SecretRule{"zapier-webhook", "Zapier webhook", "hooks.zapier.com/hooks/",
               R"(hooks\.zapier\.com/hooks/(?:catch|standard)/\d{5,10}/[a-z0-9]{6,12})"},
    SecretRule{"django-secret-key", "secret key of a Django project", "django-insecure-",
               R"(django-insecure-[a-z0-9!@#$%^&*(=_+)-]{40,60})"},
    SecretRule{"jwt", "JSON Web Token with its signature", "eyj",
               R"(eyJ[A-Za-z0-9_-]{14,990}\.eyJ[A-Za-z0-9_-]{14,990}\.[A-Za-z0-9_-]{20,700})",
               SecretCheck::kToken, 0, 3000},
    SecretRule{"digitalocean-token", "DigitalOcean token", "dop_v1_|doo_v1_|dor_v1_",
               R"(do[por]_v1_[0-9a-f]{64})"},
    SecretRule{"docker-token", "Docker Hub token", "dckr_pat_|dckr_oat_",
               R"(dckr_[po]at_[A-Za-z0-9_-]{24,40})"},
    SecretRule{"linear-key", "Linear API key", "lin_api_|lin_oauth_",
               R"(lin_(?:api|oauth)_[A-Za-z0-9]{40,64})"},
    SecretRule{"shopify-token", "Shopify token", "shpat_|shpca_|shppa_|shpss_",
               R"(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})"},
    SecretRule{"age-secret-key", "age secret key", "age-secret-key-1",
               R"(AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58})"},
    SecretRule{"vault-token", "HashiCorp Vault or Terraform token", "hvs.|hvb.|hvr.|.atlasv1.",
               R"(hv[sbr]\.[A-Za-z0-9_-]{24,250}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70})",
               SecretCheck::kToken, 14},
    SecretRule{"grafana-token", "Grafana token", "glsa_|glc_",
               R"(glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{40,300}=*)"},
    SecretRule{"databricks-token", "Databricks token", "dapi", R"(dapi[0-9a-f]{32}(?:-\d)?)"},
    SecretRule{"groq-key", "Groq API key", "gsk_", R"(gsk_[A-Za-z0-9]{48,56})"},
    SecretRule{"figma-token", "Figma token", "figd_", R"(figd_[A-Za-z0-9_-]{36,60})"},
    SecretRule{"notion-token", "Notion token", "ntn_", R"(ntn_[A-Za-z0-9]{40,50})"},
    SecretRule{"tailscale-key", "Tailscale key", "tskey-",
               R"(tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{20,80})"},
    SecretRule{"rubygems-key", "RubyGems API key", "rubygems_", R"(rubygems_[0-9a-f]{48})"},
    SecretRule{"postman-key", "Postman API key", "pmak-", R"(PMAK-[0-9a-f]{24}(?:-[0-9a-f]{34})?)"},
    SecretRule{"newrelic-key", "New Relic user key", "nrak-", R"(NRAK-[A-Z0-9]{27})"},
    SecretRule{"sentry-token", "Sentry token", "sntryu_|sntrys_",
               R"(sntryu_[0-9a-f]{64}|sntrys_[A-Za-z0-9+/=_-]{60,350})"},
    SecretRule{"supabase-token", "Supabase access token", "sbp_", R"(sbp_[0-9a-f]{40})"},
    SecretRule{"private-key", "private key block (PEM, OpenSSH, PGP)", "-----begin ",
               R"(-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----)",
               SecretCheck::kBlock},
    SecretRule{"url-credentials", "password in a URL", "://",
               R"(://[^\s/?#@:"'<>\x60]{0,100}:([^\s/?#@"'<>\x60]{3,200})@[A-Za-z0-9\[])",
               SecretCheck::kUrl},
    SecretRule{"http-authorization", "value of an Authorization header", "bearer |authorization",
               R"((?i:bearer[ ]{1,3}|authorization\\?["'\]]{0,2}[ ]{0,3}[:=,][ ]{0,3}\\?["'\x60]?)"
               R"((?:token|basic|bearer|bot|apikey)[ ]{1,3})([A-Za-z0-9._~+/=-]{16,800}))",
               SecretCheck::kHttp, 0, 900},
    SecretRule{"http-authorization", "value of an Authorization header",
               "_auth=|_auth =|_auth:|_auth\"",
               R"((?i:_auth)\\?["']?[ ]{0,3}[:=][ ]{0,3}\\?["']?([A-Za-z0-9+/]{12,400}={0,2}))",
               SecretCheck::kHttp},
    SecretRule{"command-password", "password given to a program on its command line",
               "--password |--passwd |--passphrase |--pass |sshpass |mysql|docker login |curl |"
               "login ",
               R"((?:--pass(?:word|wd|phrase)?[ ]+|sshpass[ ]+-p[ ]*|)"
               R"(mysql[a-z]{0,8}(?:[ ][^\n|;]{0,80})?[ ]-p|)"
               R"(docker login[ ](?:[^\n|;]{0,80}[ ])?(?:-p|--password)[ =]|)"
               R"(curl[ ](?:[^\n|;]{0,100}[ ])?(?:-u|--user)[ =]?["']?[^\s:"'$]{1,60}:|)"
               R"(login\s+\S{1,60}\s+password[ ]+)["']?)",
               SecretCheck::kCommand, 0, 200},
    SecretRule{"assigned-password", "value given to a name such as `password`",
               "password|passwd|passphrase|pwd|passwort|密码|密碼|パスワード|ароль",
               R"((?:(?i:password|passwd|passphrase|pwd|passwort)|[^ -~]{4,24}))" MEMFS_SAYS,
               SecretCheck::kPassword, 0, 140},
    SecretRule{
        "assigned-password", "value given to a name such as `password`",
        "pass:|pass=|pass =|pass :|pass\"|pass'|pass is|pass*|pw:|pw=|pw =|pw :|pw\"|pw'|"
        "pw is|pw*|contrase|senha|mot de passe|has\xC5\x82o|wachtwoord|kennwort|parola|heslo|"
        "salasana|l\xC3\xB6senord|비밀번호",
        R"((?:(?i:pass|pw|contrase(?:\xC3\xB1|n)a|senha|mot de passe|has\xC5\x82o|wachtwoord|)"
        R"(kennwort|parola|heslo|salasana|l\xC3\xB6senord)|비밀번호))" MEMFS_SAYS,
        SecretCheck::kShortName, 0, 140},
    SecretRule{"assigned-secret", "random value given to a name such as `api_key` or `token`",
               "secret|token|apikey|api_key|api-key|access_key|accesskey|access-key|auth_key|"
               "private_key|privatekey|signing_key|encryption_key|encryptionkey|master_key|"
               "credential",
               R"((?i:secret|token|api[_-]?key|access[_-]?key|auth_key|private_?key|signing_key|)"
               R"(encryption_?key|master_key|credential))" MEMFS_GIVES,
               SecretCheck::kNamedSecret, 0, 100},
    SecretRule{"assigned-secret", "random value given to a name such as `api_key` or `token`",
               "api key|secret key|access key|signing key|encryption key|access token|api token",
               R"((?i:(?:api|secret|access|signing|encryption) key|(?:access|api) token))"
               R"((?:[ ]?\([^()\n]{1,24}\))?\*{0,3}[ \t]{0,8}(?:is[ ]|[:=|])?)" MEMFS_VALUE_BEGIN,
               SecretCheck::kNamedSecret, 0, 100},
};
#undef MEMFS_GIVES
#undef MEMFS_SAYS
#undef MEMFS_NAME_END
#undef MEMFS_SIGN
#undef MEMFS_VALUE_BEGIN

}  // namespace

std::span<const SecretRule> secret_rules() { return kSecretRules; }

}  // namespace memfs
