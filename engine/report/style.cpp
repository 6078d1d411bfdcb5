#include "html.h"

namespace assay::report {

// The token table of the product's look, then the few rules the page needs. Print always uses the light tokens.
const char* const kStyle = R"css(
:root{--bg:#F4F5F7;--surface:#FFFFFF;--sunken:#ECEEF1;--line:#DADEE4;--text:#1A1F26;--text2:#56606C;--accent:#2563EB;--accentbg:#E6EEFF;--good:#1A7F37;--goodbg:#E2F4E7;--warn:#8A5B00;--warnbg:#FFF3D6;--bad:#C3222F;--badbg:#FDE7E8;--d1:#2563EB;--d2:#D97706;--d3:#0F9D7A;--d4:#C02F86;--d5:#7A52CC;--d6:#8A6A1F;--d7:#0891B2;color-scheme:light}
@media (prefers-color-scheme:dark){:root{--bg:#12151A;--surface:#1A1E25;--sunken:#0E1115;--line:#303742;--text:#E7EBF0;--text2:#A7B0BC;--accent:#6AA1FF;--accentbg:#1C2C4A;--good:#5CC27A;--goodbg:#173222;--warn:#E0B04B;--warnbg:#382C10;--bad:#FF7B7F;--badbg:#3B1A1D;--d1:#6AA1FF;--d2:#F2A65A;--d3:#4FC9A6;--d4:#F07CBF;--d5:#B196F5;--d6:#CDB06B;--d7:#4CC5DE;color-scheme:dark}}
@media print{:root{--bg:#FFFFFF;--surface:#FFFFFF;--sunken:#ECEEF1;--line:#DADEE4;--text:#1A1F26;--text2:#56606C;--accent:#2563EB;--accentbg:#E6EEFF;--good:#1A7F37;--goodbg:#E2F4E7;--warn:#8A5B00;--warnbg:#FFF3D6;--bad:#C3222F;--badbg:#FDE7E8;--d1:#2563EB;--d2:#D97706;--d3:#0F9D7A;--d4:#C02F86;--d5:#7A52CC;--d6:#8A6A1F;--d7:#0891B2;color-scheme:light}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:13px/18px Inter,'Noto Sans',system-ui,'Segoe UI',Roboto,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1180px;margin:0 auto;padding:24px 20px 40px;display:grid;grid-template-columns:minmax(0,1fr);gap:12px}
header{display:flex;gap:8px 12px;align-items:center;flex-wrap:wrap;min-width:0}
h1{font-size:20px;line-height:26px;font-weight:640;letter-spacing:-.3px;margin:0;min-width:0;overflow-wrap:anywhere}
h2{font-size:13px;line-height:18px;font-weight:600;margin:0}
.mark{width:22px;height:22px;border-radius:6px;flex:none}
.sub{color:var(--text2);font-size:12px;line-height:16px;flex-basis:100%}
.card{background:var(--surface);border:1px solid var(--line);border-radius:8px;min-width:0;overflow:hidden}
.hd{padding:9px 14px;border-bottom:1px solid var(--line);display:flex;gap:4px 12px;align-items:baseline;flex-wrap:wrap}
.hd span{color:var(--text2);font-size:12px}
.pad{padding:12px 14px}
.top{display:grid;grid-template-columns:minmax(0,1fr) 300px;gap:12px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:12px}
.four{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,250px),1fr));gap:12px}
.note{color:var(--text2);font-size:12px;line-height:17px;margin:0}
.chip{display:inline-block;border-radius:10px;padding:1px 8px;font-size:11px;line-height:16px;font-weight:520;white-space:nowrap}
.good{color:var(--good);background:var(--goodbg)}.warn{color:var(--warn);background:var(--warnbg)}.bad{color:var(--bad);background:var(--badbg)}.neu{color:var(--text2);background:var(--sunken)}.acc{color:var(--accent);background:var(--accentbg)}
.big{font-size:20px;line-height:26px;font-weight:640;letter-spacing:-.4px;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(104px,1fr));gap:10px 16px;margin:12px 0}
.facts dt{color:var(--text2);font-size:11px;line-height:14px}.facts dd{margin:0;font-size:16px;line-height:21px;font-weight:600}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{font-weight:540;color:var(--text2);font-size:11px;line-height:14px;text-align:right;padding:7px 10px;border-bottom:1px solid var(--line);vertical-align:bottom;min-width:56px}
td{text-align:right;padding:6px 10px;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:baseline}
tr:last-child td{border-bottom:0}
th small,td small{font-size:11px;color:var(--text2);font-weight:400}
th small{display:block}
.l{text-align:left}
.wrap{white-space:normal;overflow-wrap:anywhere;min-width:120px}
td.name{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:150px;max-width:300px;overflow:hidden}
table.sticky td.name,table.sticky th:first-child{position:sticky;left:0;background:var(--surface)}
tr.best td{background:var(--accentbg)}table.sticky tr.best td.name{background:var(--accentbg)}
table.figures td small{display:block}table.figures th,table.figures td{padding-left:7px;padding-right:7px}table.figures td:first-child,table.figures th:first-child{padding-left:14px}table.figures .no{white-space:normal}.scroll+.scroll{border-top:1px solid var(--line)}
details summary{padding:7px 14px;cursor:pointer;font-weight:540;border-bottom:1px solid var(--line)}details summary span{color:var(--text2);font-size:12px;font-weight:400;margin-left:8px}table.diff{table-layout:fixed}
.no{color:var(--text2);font-size:12px}
.mono{font:12px/17px 'JetBrains Mono','DejaVu Sans Mono',ui-monospace,monospace;overflow-wrap:anywhere}
.lm{display:inline-block;width:12px;height:12px;vertical-align:-1px;margin-right:7px}
svg{display:block;max-width:100%}
svg.chart{width:100%;height:auto}
svg text{font:11px Inter,'Noto Sans',system-ui,sans-serif;fill:var(--text2);font-variant-numeric:tabular-nums}
svg text.lab{fill:var(--text);paint-order:stroke;stroke:var(--surface);stroke-width:3px;stroke-linejoin:round}
svg text.lab.b{font-weight:600}
.grid{stroke:var(--line);stroke-width:1}.axis{stroke:var(--text2);stroke-width:1}
.front{fill:none;stroke:var(--text2);stroke-width:1.25}.goal{stroke:var(--good);stroke-width:1.25;stroke-dasharray:5 4}svg text.goal{stroke:none;fill:var(--good)}
.ring{fill:none;stroke:var(--accent);stroke-width:2}
.ref{stroke:var(--text2);stroke-width:1.25;stroke-dasharray:2 3}
.faint{opacity:.45}
)css"
R"css(
.d1{--c:var(--d1)}.d2{--c:var(--d2)}.d3{--c:var(--d3)}.d4{--c:var(--d4)}.d5{--c:var(--d5)}.d6{--c:var(--d6)}.d7{--c:var(--d7)}
.m{fill:var(--c);stroke:var(--surface);stroke-width:1}.m.h{fill:var(--surface);stroke:var(--c);stroke-width:1.75}
.e{stroke:var(--c);stroke-width:1.5}
.curve{fill:none;stroke:var(--c);stroke-width:1.5;stroke-linejoin:round}.curve.thin{stroke-width:1;opacity:.7}
.bars{display:grid;grid-template-columns:minmax(72px,max-content) minmax(40px,1fr) max-content;gap:6px 10px;align-items:center}
.bars .n{font-size:12px;line-height:16px;overflow-wrap:anywhere;max-width:170px}.bars .v{font-size:12px;text-align:right;white-space:nowrap}
.track{background:var(--sunken);border-radius:3px;height:10px;overflow:hidden}.track i{display:block;height:100%;background:var(--c);border-radius:3px;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.pair{display:grid;gap:2px;width:88px;margin:2px 0 4px auto}.pair i{display:block;height:5px;border-radius:2px;background:var(--c);-webkit-print-color-adjust:exact;print-color-adjust:exact}.pair i.was{background:var(--text2);opacity:.5}.pair.off{--c:var(--warn)}
table.pairs td{vertical-align:top}table.pairs td.name{vertical-align:middle}table.pairs td small{display:block}table.pairs .chip{margin-top:2px}.why{border-top:1px solid var(--line)}.why b{font-weight:560}.why li{color:var(--text2)}.why li b{color:var(--text)}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px;color:var(--text2);margin-top:6px}
ul{margin:0;padding-left:18px}li{margin:2px 0;overflow-wrap:anywhere}
dl.defs{display:grid;grid-template-columns:minmax(150px,max-content) 1fr;gap:6px 18px;margin:0}dl.defs dt{font-weight:540}dl.defs dd{margin:0;color:var(--text2)}
.narrow{display:none}
footer{color:var(--text2);font-size:11px;line-height:16px}
@media screen and (max-width:900px){.top{grid-template-columns:minmax(0,1fr)}}
@media screen and (max-width:620px){main{padding:16px 10px 28px}.pad{padding:10px}.hd{padding:8px 10px}.wide{display:none}.narrow{display:block}dl.defs{grid-template-columns:1fr;gap:0}dl.defs dd{margin-bottom:8px}td,th{padding-left:8px;padding-right:8px}td.name{min-width:104px;max-width:150px}}
@media print{@page{size:A4;margin:12mm}body{font-size:10.5px;line-height:14px;-webkit-print-color-adjust:exact;print-color-adjust:exact}main{padding:0;max-width:none;gap:8px}.card,tr,.bars,svg{break-inside:avoid}.hd{break-after:avoid}.long{break-inside:auto}.top{grid-template-columns:minmax(0,1fr) 170px;align-items:start}.note,.no,.sub,.hd span,.legend{font-size:9.5px;line-height:13px}.facts{grid-template-columns:1fr 1fr;gap:6px 10px;margin:6px 0}.facts dd{font-size:12px;line-height:15px}.big{font-size:15px;line-height:19px}.facts dt{font-size:9px}h2{font-size:11px}td{white-space:nowrap}td small{display:block}.scroll th{min-width:0}.mono{font-size:9px;line-height:12px}.bars{gap:3px 8px}.bars .n,.bars .v{font-size:9.5px;line-height:12px}.track{height:7px}.pad{padding:7px 9px}.hd{padding:5px 9px}.four{grid-template-columns:1fr 1fr;gap:8px}dl.defs{gap:3px 12px}td,th{padding:3px 5px}th{font-size:9px}th small,td small{font-size:8.5px}td{font-size:9.5px}.scroll{overflow:visible}table.sticky td.name,table.sticky th:first-child{position:static}td.name{min-width:60px}.two{grid-template-columns:1fr 1fr}.chip{font-size:8.5px;line-height:12px;padding:0 5px}}
)css";

}  // namespace assay::report
