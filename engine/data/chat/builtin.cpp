// Templates for models that bring none, each written for the way its family of models was trained.
#include <assay/data/chat.h>

namespace assay::data {
namespace {

// Turns between <|im_start|>ROLE and <|im_end|>.
constexpr std::string_view kChatMl = R"({%- for message in messages -%}
{{- '<|im_start|>' + message['role'] + '\n' }}
{%- if message['role'] == 'assistant' -%}
{% generation %}{{ (message['content'] or '') + '<|im_end|>' }}{% endgeneration %}
{%- else -%}
{{- (message['content'] or '') + '<|im_end|>' }}
{%- endif -%}
{{- '\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\n' }}
{%- endif -%}
)";

// [INST] question [/INST] answer; the system's text stands in front of the first question.
constexpr std::string_view kLlama2 = R"({%- set ns = namespace(system='', turn=0) -%}
{%- for message in messages -%}
{%- if message['role'] == 'system' -%}
{%- if ns.turn > 0 -%}{{ raise_exception('a system message must come first') }}{%- endif -%}
{%- set ns.system = '<<SYS>>\n' + message['content'] + '\n<</SYS>>\n\n' -%}
{%- elif message['role'] == 'user' -%}
{%- if ns.turn % 2 -%}{{ raise_exception('user and assistant must take turns') }}{%- endif -%}
{{- bos_token ~ '[INST] ' ~ ns.system ~ message['content'].strip() ~ ' [/INST]' }}
{%- set ns.system = '' -%}
{%- set ns.turn = ns.turn + 1 -%}
{%- elif message['role'] == 'assistant' -%}
{%- if ns.turn % 2 == 0 -%}{{ raise_exception('user and assistant must take turns') }}{%- endif -%}
{% generation %}{{ ' ' ~ message['content'].strip() ~ ' ' ~ eos_token }}{% endgeneration %}
{%- set ns.turn = ns.turn + 1 -%}
{%- else -%}
{{- raise_exception('this template has no role ' ~ message['role']) }}
{%- endif -%}
{%- endfor -%}
)";

// Sections under headings, as instruction data sets of one turn have them; more turns go on in the same way.
constexpr std::string_view kAlpaca = R"({{- bos_token }}
{%- if messages and messages[0]['role'] == 'system' -%}
{{- messages[0]['content'] + '\n\n' }}
{%- else -%}
{{- 'Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n' }}
{%- endif -%}
{%- for message in messages -%}
{%- if message['role'] == 'user' -%}
{{- '### Instruction:\n' + message['content'] + '\n\n' }}
{%- elif message['role'] == 'assistant' -%}
{{- '### Response:\n' }}
{%- generation -%}{{ message['content'] ~ eos_token }}{%- endgeneration -%}
{{- '\n\n' }}
{%- elif not (message['role'] == 'system' and loop.first) -%}
{{- raise_exception('this template has no place for ' ~ message['role'] ~ ' here') }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '### Response:\n' }}
{%- endif -%}
)";

// USER: … ASSISTANT: … on one line each.
constexpr std::string_view kVicuna = R"({{- bos_token }}
{%- for message in messages -%}
{%- if message['role'] == 'system' -%}
{{- message['content'] + '\n\n' }}
{%- elif message['role'] == 'user' -%}
{{- 'USER: ' + message['content'] + '\n' }}
{%- elif message['role'] == 'assistant' -%}
{{- 'ASSISTANT:' }}
{%- generation -%}{{ ' ' ~ message['content'] ~ eos_token }}{%- endgeneration -%}
{{- '\n' }}
{%- else -%}
{{- raise_exception('this template has no role ' ~ message['role']) }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- 'ASSISTANT:' }}
{%- endif -%}
)";

// The texts alone, one after the other: for prompts and completions of models that were never taught to chat.
constexpr std::string_view kPlain = R"({{- bos_token }}
{%- for message in messages -%}
{%- if message['role'] == 'assistant' -%}
{%- generation -%}{{ message['content'] ~ eos_token }}{%- endgeneration -%}
{%- else -%}
{{- message['content'] }}
{%- endif -%}
{%- endfor -%}
)";

constexpr BuiltinChatTemplate kBuiltin[] = {{"chatml", kChatMl}, {"llama2", kLlama2}, {"alpaca", kAlpaca}, {"vicuna", kVicuna}, {"plain", kPlain}};

}  // namespace

std::span<const BuiltinChatTemplate> builtinChatTemplates() { return kBuiltin; }

}  // namespace assay::data
