#include "libmemfs/guard/instruction_rules.h"

#include <array>

namespace memfs {
namespace {

// Words between a verb and what it is about. Blanks are optional: see FoldedText. A hyphen may
// stand in their place, as in a tag or the name of a file.
#define MEMFS_FILL                                                                               \
  R"((?:[ -]?(?:all|any|every|each|of|the|your|my|our|these|those|this|that|other|and|or|just|)" \
  R"(completely|entirely|please|absolutely|whole)\b|[ -]?(?:all|any|ofthe|the)){0,5}[ -]?)"
#define MEMFS_IGNORE                                                                      \
  R"(\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|(?:do not|don't|never|stop) )" \
  R"((?:follow(?:ing)?|obey(?:ing)?)|pay no attention to))"
#define MEMFS_EARLIER \
  R"((?:previous(?:ly)?|prior|preceding|earlier|above|foregoing|former|original|initial))"

// What makes of "ignore the previous instructions" a remark of a manual. Not "for now", "in full".
constexpr std::string_view kEnglishObject =
    R"( ?[,(]? ?(?:when|whenever|if|unless|while|about|regarding|during|where|under|)"
    R"((?:for|in|on|at)\b)[^.;!?\n]{0,90})";
constexpr std::string_view kRomanceObject =
    R"( (?:de|del|da|do|das|dos|du|des|para|por|pour|en|em|no|na|dans|si|se|cuando|quando|quand|)"
    R"(con|com|avec|sobre|sur)\b[^.;!?\n]{0,90})";
constexpr std::string_view kGermanObject =
    R"( (?:fur|wenn|falls|zum|zur|zu|in|im|bei|unter|auf|uber)\b[^.;!?\n]{0,90})";

constexpr std::string_view kIgnorePrevious = "asks to leave earlier instructions aside";

constexpr std::array kInstructionRules = {
    // English, then one line for each language, so that a text compiles no more than it needs.
    InstructionRule{
        "ignore-previous", kIgnorePrevious,
        "ignor;disregard;forget;do not follow;don't follow;never follow;stop following;"
        "do not obey;pay no attention;override all;discard all;override any;override the prev",
        MEMFS_IGNORE MEMFS_FILL MEMFS_EARLIER
        R"((?:[ -](?:given|stated|mentioned|system|user))?[ -]?(?:and [a-z]+ )?)"
        R"((?:instruct(?:ions?|ed)|prompts?|directions|directives|guidelines|orders|rules)\b)"
        R"(|\b(?:override|discard) ?(?:all|any|the)(?: of)?(?: the| your| my)* ?)" MEMFS_EARLIER
        R"( ?(?:instructions|prompts?|guidelines)\b)"
        R"(|)" MEMFS_IGNORE MEMFS_FILL
        R"((?:instructions|prompts?|guidelines|directions|orders) ?(?:that |which )?)"
        R"((?:above|before this|you (?:got|were given|have been given|received|had)|)"
        R"(given (?:above|before|earlier|so far)|so far|up to now|i gave you))"
        R"(|\b(?:ignore|disregard|forget) ?(?:absolutely )?)"
        R"((?:everything|anything|all text|all the text|all|whatever) ?(?:that |which )?)"
        R"((?:above(?: and| this|[.,;:!]|$)|before (?:this|and)|before[.,;:!]|)"
        R"(you (?:were|have been|'ve been|are) (?:told|instructed|taught)|)"
        R"(i (?:said|told you)|(?:was|has been) said (?:above|before)|up to this point))"
        R"(|\b(?:ignore|disregard|forget) ?(?:all|any) ?(?:of )?(?:the |my |)"
        R"(your )?instructions\b)",
        kEnglishObject},
    InstructionRule{"ignore-previous", kIgnorePrevious,
                    "忽略;忽視;忽视;无视;無視;忘记;忘記;不要理会;不要理會",
                    R"((?:忽略|忽視|忽视|无视|無視|忘记|忘記|不要理会|不要理會))"
                    R"((?:你|您|掉|的|在|给|給|我|们|所有|全部|一切|任何|系统|系統|收到|过)*)"
                    R"((?:之前|以前|先前|此前|前面|以上|上面|上述|所有|全部|一切|系统|系統))"
                    R"((?:你|您|的|所有|全部|一切|任何|给|給|我|收到|到|系统|系統|那些)*)"
                    R"((?:指令|指示|提示词|提示詞|提示|命令|设定|設定|规则|規則))"},
    InstructionRule{
        "ignore-previous", kIgnorePrevious, "無視;忘れ",
        R"((?:以前|これまで|上記|先ほど|今まで|前|すべて|全て)の?(?:すべて|全て|あらゆる)?の?)"
        R"((?:指示|命令|プロンプト|指令)(?:を|は)(?:すべて|全て|全部|完全に)?(?:無視|忘れ))"},
    InstructionRule{"ignore-previous", kIgnorePrevious, "гнорир;абудь",
                    R"((?:игнорируи|игнорировать|забудь)(?:те)?[^.\n]{0,40})"
                    R"((?:предыдущ|прежн|прошл|предшеств|выше)[^.\n]{0,24})"
                    R"((?:инструкц|указани|команд|правил|промпт))"},
    InstructionRule{
        "ignore-previous", kIgnorePrevious, "ignora;ignore;olvid;descart",
        R"(\b(?:ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en)|descart[ae]) )"
        R"((?:por completo |completamente )?(?:todas? )?(?:(?:las|tus|sus|mis) )?)"
        R"((?:(?:instrucciones|indicaciones|ordenes|reglas|directrices) )"
        R"((?:anteriores|previas|precedentes|iniciales)|(?:anteriores|previas) instrucciones))",
        kRomanceObject, true},
    InstructionRule{
        "ignore-previous", kIgnorePrevious, "ignore;oubli",
        R"(\b(?:ignore[rz]?|oublie[rz]?) (?:completement )?(?:toutes? )?)"
        R"((?:(?:les|tes|vos|ces) )?(?:(?:instructions|consignes|directives|regles) )"
        R"((?:precedentes|anterieures|ci-dessus|initiales|donnees)|precedentes instructions))",
        kRomanceObject, true},
    InstructionRule{"ignore-previous", kIgnorePrevious, "ignorier;vergiss;vergess;missacht",
                    R"(\b(?:ignorier(?:e|en|t)|vergiss|vergesst|vergessen|missachte[nt]?) )"
                    R"((?:sie )?(?:bitte )?(?:alle |samtliche )?(?:(?:die|deine|ihre|meine) )?)"
                    R"((?:vorherigen|vorigen|bisherigen|vorangegangenen|obigen|fruheren|)"
                    R"(vorhergehenden|ursprunglichen) )"
                    R"((?:anweisungen|instruktionen|befehle|vorgaben|prompts?))",
                    kGermanObject},
    InstructionRule{"ignore-previous", kIgnorePrevious, "ignora;ignore;esque;desconsider",
                    R"(\b(?:ignor(?:e|a|em)|esquec(?:a|e|am)|desconsider(?:e|a|em)) )"
                    R"((?:completamente )?(?:todas? )?(?:(?:as|suas|tuas|minhas) )?)"
                    R"((?:instrucoes|ordens|regras|orientacoes) )"
                    R"((?:anteriores|previas|acima|precedentes|iniciais))",
                    kRomanceObject, true},
    InstructionRule{
        "disregard-rules", "asks a model to leave its own rules",
        "ignore;disregard;forget;bypass;override;violate;break all;circumvent;abandon",
        R"(\b(?:ignore|disregard|forget|bypass|override|violate|break|circumvent|abandon) )"
        R"((?:all |any |every |of )*(?:the )?(?:your |its )(?:own |previous |original )*)"
        R"((?:(?:safety|content|ethical|ethics|moderation|programmed|built-in|core|internal|)"
        R"(developer|system) )"
        R"((?:and \w+ )?(?:instructions?|guidelines?|rules|restrictions?|polic(?:y|ies)|)"
        R"(prompts?|filters?|constraints?|guardrails|training|programming)\b|)"
        R"((?:instructions|guidelines|training|programming|guardrails|safeguards)\b)|)"
        R"(\bbreak all (?:of )?your rules\b)"
        R"(|\b(?:ignore|disregard|forget) (?:the |any )?system prompt\b)"},
    InstructionRule{
        "role-override", "gives a model another role or frees it of its limits",
        "you are now;you're now;from now on;no longer bound;no longer restricted;no longer an;"
        "pretend;act as a;act like a;jailb;without restrictions;dan mode;have no restrictions",
        R"(\byou(?: are|'re) now (?:(?:a|an|the|my|in|called|known as|acting as|)"
        R"(going to act as|operating as) )?)"
        R"((?:[a-z-]+ ){0,2}?(?:dan\b|unrestricted|uncensored|unfiltered|jailbroken|evil\b|)"
        R"(amoral|ai\b|assistant|chatbot|language model|free of|free from|)"
        R"(without (?:any )?(?:restrictions|rules|limits)))"
        R"(|\bfrom now on,? you(?: are|'re) (?:a |an |the |my |no longer )[a-z])"
        R"(|\bfrom now on,? you (?:will|must|shall|should) (?:act|behave|respond|answer|obey|)"
        R"(pretend|speak|roleplay|role-play)\b)"
        R"(|\byou (?:are|'re) no longer (?:bound|restricted|limited by|constrained|an ai|)"
        R"(a language model|an assistant|required to follow))"
        R"(|\b(?:pretend|imagine) (?:that )?(?:to be|you are|you're) (?:(?:a|an|the|)"
        R"(not) )?(?:[a-z-]+ ){0,2}?(?:ai|language model|chatbot|unrestricted|uncensored|evil|)"
        R"(human and not)\b)"
        R"(|\bact (?:as|like) (?:if you (?:were|are|have) )?(?:an? )?(?:unrestricted|)"
        R"(uncensored|unfiltered|jailbroken|evil|amoral|no restrictions|dan\b))"
        R"(|\b(?:dan|jailbreak|jailbroken) mode (?:enabled|activated|on\b))"
        R"(|\byou have no (?:restrictions|rules|limits|guidelines|ethical)\b)"},
    InstructionRule{
        "system-prompt-reveal", "asks for the model's own instructions",
        "system prompt;system message;initial prompt;instructions;hidden prompt;developer message;"
        "everything above;text above;words above;above verbatim;secret prompt",
        R"(\b(?:reveal|print|show|output|repeat|display|leak|disclose|dump|share|expose|recite|)"
        R"(quote|write out|tell me|give me|send me|return|what (?:is|are|was|were)|what's) )"
        R"((?:me |us |out )?(?:all |of |the |exact |full |entire |complete |contents of |)"
        R"(text of )*your )"
        R"((?:full |exact |entire |complete |original |own )*(?:(?:system|initial|hidden|)"
        R"(secret|internal|developer|original|underlying) )"
        R"((?:and \w+ )?(?:prompts?|instructions|messages?)\b|instructions (?:verbatim|)"
        R"(word for word)))"
        R"(|\b(?:repeat|print|output|recite|copy) (?:back )?(?:everything|)"
        R"(all (?:of )?the (?:text|words)|the (?:text|words)) above\b)"},
    InstructionRule{
        "system-tag",
        "marks of a chat template or a system message",
        "<|im_;<|system;<|user;<|assistant;<|start_;<|end_of;<|eot;<|endof;<start_of_turn;"
        "[inst];[/inst];<<sys>>;<system>;</system>;<system-;<system_;[system];begin system",
        R"(<\|(?:im (?:start|end|sep)|system|user|assistant|start header id|end header id|)"
        R"(end of turn|eot id|endoftext|end of text|begin of text)\|>)"
        R"(|<(?:start|end) of turn>|\[/?inst\]|<</?sys>>)"
        R"(|</?system(?:[- ](?:prompt|message|reminder|instructions?|override|note))?>)"
        R"(|\[system\](?:\(#| ?:)|\[system\] (?:you|ignore|new|override|the (?:user|assistant)))"
        R"(|\bbegin system (?:prompt|message|instructions?))",
        {},
        false,
        true},
    InstructionRule{
        "new-instructions", "announces other instructions in the name of whoever runs the model",
        "new instruction;new system;updated instruction;real instruction;actual instruction;"
        "true instruction;new task;real task;actual task;true task;new objective;real objective;"
        "system override;admin override;developer override;new orders;real goal;new directive;"
        "true purpose;real purpose",
        R"(\b(?:here (?:are|is)|these are|this is|follow|obey) (?:your|these|)"
        R"(the following) (?:new|real|actual|true|updated) (?:system )?(?:instructions?|orders|)"
        R"(directives?|task|objective|goal)\b)"
        R"(|\bnew (?:instructions?|prompt|directives?) ?: ?(?:you\b|your\b|ignore|disregard|forget|)"
        R"(from now|act as|reveal|respond|reply|answer|say\b|pretend|obey|never tell|do not tell))"
        R"(|\bnew system (?:instructions?|prompt)\b)"
        R"(|\byour (?:new|real|actual|true) (?:instructions?|orders|directive|task|objective|)"
        R"(goal|purpose) (?:is|are)\b)"
        R"(|\b(?:system|admin|administrator|developer) override ?[:!-])"},
    InstructionRule{
        "model-addressed", "speaks to the model that reads a document",
        "if you are an;if you're an;any ai;any llm;attention ai;attention llm;attention assistant;"
        "ai reading;llm reading;models reading;note to ai;note to llm;attention: ai;dear ai;"
        "message to ai;message to the ai",
        R"(\bif you(?: are|'re) an? (?:ai|llm|large language model|language model|)"
        R"(ai (?:assistant|agent|model)|automated agent)\b)"
        R"(|\b(?:any|every|all) (?:ai|llm|language model)s? (?:agent |assistant |model |)"
        R"(system )?(?:that|which|who|reading) )"
        R"(|\b(?:attention|dear|note to|message to)[:,]? (?:the |all |any )?(?:ai|llm|)"
        R"(language model)s?(?: assistants?| agents?| models?)?\b)"},
    InstructionRule{
        "exfiltrate", "asks to send credentials or private data away",
        "send;post;upload;transmit;forward;exfiltrat;leak;email;e-mail;curl;wget;env ;"
        "printenv;id_rsa;.ssh/;.aws/;.env;/etc/passwd;| nc ",
        R"(\b(?:send|post|upload|transmit|forward|exfiltrate|leak|e-?mail|deliver) )"
        R"((?:me |us |out |over )?(?:(?:all|any|the|your|every|of|user's|users'|contents?|)"
        R"(content|full|found|stored|private|secret|saved|available|file|files) )*)"
        R"((?:secrets|credentials|api keys?|access keys|private keys?|ssh keys?|passwords|)"
        R"(environment variables|env file|\.env\b|~?/?\.ssh|~?/?\.aws/credentials|id rsa|)"
        R"(session cookies|conversation history|chat history|system prompt)\b)"
        R"([^.\n]{0,60}? ?(?:to|at|via) (?:https?://|ftp://|an? (?:external|remote|attacker)|)"
        R"(this (?:url|address|server|e-?mail|endpoint|webhook)|the following (?:url|address|)"
        R"(server|e-?mail|endpoint|webhook)|my (?:server|e-?mail|webhook|site)|[a-z0-9.+-]+@))"
        R"(|\b(?:read|open|cat|copy|take|get|load|collect|grab)\b[^\n]{0,24}(?:\.ssh\b|\bid rsa\b|)"
        R"(\.aws\b|\.env\b|/etc/(?:passwd|shadow))[^\n]{0,40}\b(?:and|then|,) ?(?:send|post|upload|)"
        R"(transmit|forward|exfiltrate|leak|e-?mail|deliver|put) (?:it|them|(?:its|their|the) )"
        R"((?:contents?|result|output|keys?|values?))\b[^\n]{0,40}\b(?:to|at|via) )"
        R"((?:https?://|ftp://|[a-z0-9.+-]+@|an? (?:external|remote)|this |my |the following))"
        R"(|\b(?:curl|wget)\b[^\n]{0,160}(?:@ ?\.env\b|@ ?~?/?[a-z/]*\.ssh/|)"
        R"(@ ?~?/?[a-z/]*\.aws/credentials|@ ?/etc/(?:passwd|shadow)|id rsa|\$\((?:env|)"
        R"(printenv|cat (?:~/\.|/etc/|\.env))|=\$\(env))"
        R"(|\b(?:env|printenv|cat (?:~/?\.ssh/|~?/?\.aws/|~?/?\.env|/etc/passwd|/etc/shadow|)"
        R"(\.env)[^|\n]{0,40}) ?\| ?(?:base64[^|\n]{0,12}\| ?)?(?:curl|wget|nc|ncat|netcat)\b)"},
    InstructionRule{
        "hide-from-user", "asks to keep something from the user",
        "the user;user's knowledge;the human;the operator",
        R"(\b(?:do not|don't|never|must not) (?:ever )?(?:tell|inform|alert|warn|let) (?:the|)"
        R"(your) (?:user|human|operator) (?:about (?:this|these|the instruction|it\b|any of)|)"
        R"(that you|of this|know (?:about|that you)|what you|anything))"
        R"(|\b(?:do not|don't|never) (?:ever )?(?:tell|inform) the (?:user|human)(?: ?[.!;]|)"
        R"( ?$| ?-))"
        R"(|\b(?:do not|don't|never) (?:ever )?(?:mention|reveal|disclose|report|show) (?:this|)"
        R"(that you|these (?:instructions|steps)|any of this|)"
        R"(anything)\b[^.\n]{0,30} to the (?:user|human|operator))"
        R"(|\bwithout (?:telling|informing|alerting|notifying) the (?:user|human|)"
        R"(operator)(?: ?[.!;,:]| ?$| about this))"
        R"(|\bwithout the (?:user|human)(?:'s)? (?:knowing|knowledge|noticing|consent))"
        R"(|\b(?:keep|hide) (?:this|it|these (?:instructions|steps)|everything|)"
        R"(that) (?:a )?(?:(?:secret|hidden|confidential|concealed) )?from the (?:user|human|)"
        R"(operator))"
        R"(|\bthe (?:user|human) (?:must|should|may|need) (?:not|never) (?:know|find out|)"
        R"(notice|learn|be (?:told|informed))\b)"},
    InstructionRule{
        "auto-run", "asks to run something without leave",
        "without asking;without confirm;without prompting;without permission;without approval;"
        "without hesitation;without review;always approve;always accept;automatically approve;"
        "auto-approve;automatically accept;without waiting for",
        R"(\b(?:run|execute|paste|perform|apply) (?:the following|this|these|the next|)"
        R"(the attached|the below|whatever)(?: [a-z-]+){0,2} ?(?:command|script|code|step|)"
        R"(instruction|program|block)s?\b[^.\n]{0,40}\bwithout (?:asking|confirm|prompting|)"
        R"(permission|approval|hesitation|review|any confirm|waiting for (?:approval|confirm|)"
        R"(permission)))"
        R"(|\balways (?:run|execute) (?:[a-z]+ ){0,2}?(?:commands?|scripts?|code|tools?)\b)"
        R"([^.\n]{0,40}\bwithout (?:asking|confirm|prompting|)"
        R"(permission|approval|review|hesitation))"
        R"(|\b(?:always|automatically|auto-?) ?(?:approve|accept|allow|confirm) (?:all|any|)"
        R"(every|each|the)? ?(?:tool|shell|terminal|bash)[ -]?(?:calls?|uses?|commands?|)"
        R"(requests?)\b)"},
    InstructionRule{
        "tool-call",
        "marks of a call of a tool or of its result",
        "<tool_call;<tool_use;<tool_result;<function_call;<function_result;<invoke ;</invoke;"
        "</tool_;</function_;[tool_calls];<tool_response;<|tool",
        R"(</?(?:tool (?:calls?|use|results?|response)|function (?:calls?|results?))>|)"
        R"(<invoke name ?=|</invoke>|\[tool calls\]|<\|tool[a-z ]*\|>)",
        {},
        false,
        true},
};
#undef MEMFS_FILL
#undef MEMFS_IGNORE
#undef MEMFS_EARLIER

}  // namespace

std::span<const InstructionRule> instruction_rules() { return kInstructionRules; }

}  // namespace memfs
