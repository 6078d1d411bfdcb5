<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CostPoints</name>
    <message>
        <source>%1, %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 → lower is better</source>
        <translation>%1 → 越低越好</translation>
    </message>
    <message>
        <source>%1 → higher is better</source>
        <translation>%1 → 越高越好</translation>
    </message>
    <message>
        <source>%1 · baseline</source>
        <translation>%1 · 基线</translation>
    </message>
    <message>
        <source>No set-up has both a cost and an accuracy yet.</source>
        <translation>还没有同时测得成本和精度的方案。</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Choose 1 to 1,000 values.</source>
        <translation>请选择 1 到 1,000 个取值。</translation>
    </message>
    <message>
        <source>Both ends must be numbers.</source>
        <translation>两端都必须是数字。</translation>
    </message>
    <message>
        <source>A logarithmic range needs ends above zero.</source>
        <translation>对数范围的两端必须大于零。</translation>
    </message>
    <message>
        <source>Give at least one value.</source>
        <translation>请至少给出一个取值。</translation>
    </message>
    <message>
        <source>Seeds are whole numbers from 0.</source>
        <translation>种子是从 0 起的整数。</translation>
    </message>
    <message>
        <source>is listed twice</source>
        <translation>重复列出</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>These are more than 9,000 runs; use fewer values.</source>
        <translation>运行数超过 9,000；请减少取值。</translation>
    </message>
    <message>
        <source>See why “%1” failed</source>
        <translation>查看“%1”为何失败</translation>
    </message>
    <message>
        <source>Its page shows the error, what to do about it, and the log.</source>
        <translation>它的页面会显示错误、处理办法和日志。</translation>
    </message>
    <message>
        <source>Resume “%1”</source>
        <translation>恢复“%1”</translation>
    </message>
    <message>
        <source>It goes on from its last checkpoint.</source>
        <translation>从最近的检查点继续。</translation>
    </message>
    <message>
        <source>Compare cost and accuracy</source>
        <translation>比较成本与精度</translation>
    </message>
    <message>
        <source>Set every version of your model beside the base.</source>
        <translation>把模型的各个版本与基准模型并排比较。</translation>
    </message>
    <message>
        <source>%1 finished runs can be set side by side.</source>
        <translation>%1 个已完成的运行可以并排比较。</translation>
    </message>
    <message>
        <source>Plan the next experiment</source>
        <translation>规划下一个实验</translation>
    </message>
    <message>
        <source>Memory, time and cost are shown before it starts.</source>
        <translation>开始之前就能看到内存、时间和成本。</translation>
    </message>
    <message>
        <source>Look at your own data</source>
        <translation>查看自己的数据</translation>
    </message>
    <message>
        <source>Drop a file on the window to see rows, problems and tokens.</source>
        <translation>把文件拖到窗口上，即可查看行、问题和 token。</translation>
    </message>
    <message>
        <source>another version</source>
        <translation>版本不同</translation>
    </message>
    <message>
        <source>The engine on %1 is of another version than this window.</source>
        <translation>%1 上的引擎与本窗口版本不同。</translation>
    </message>
    <message>
        <source>Update the older of the two, then try again. The runs of that engine are not touched.</source>
        <translation>请更新较旧的一方，然后重试。该引擎的运行不受影响。</translation>
    </message>
    <message>
        <source>wrong token</source>
        <translation>令牌错误</translation>
    </message>
    <message>
        <source>The engine on %1 did not accept the token.</source>
        <translation>%1 上的引擎不接受该令牌。</translation>
    </message>
    <message>
        <source>Run “assay engine token” on that machine and give its output as ASSAY_TOKEN, or attach through ssh.</source>
        <translation>请在那台机器上运行“assay engine token”，把输出设为 ASSAY_TOKEN，或者通过 ssh 连接。</translation>
    </message>
    <message>
        <source>no engine</source>
        <translation>无引擎</translation>
    </message>
    <message>
        <source>The engine of this machine does not run.</source>
        <translation>本机的引擎没有运行。</translation>
    </message>
    <message>
        <source>Try again to start it; if it ends at once, its last words are below.</source>
        <translation>请再次尝试启动；如果它立即退出，下方是它最后的输出。</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>%1 cannot be reached.</source>
        <translation>无法连接 %1。</translation>
    </message>
    <message>
        <source>Check the address, the network and that an engine runs there.</source>
        <translation>请检查地址和网络，并确认那里有引擎在运行。</translation>
    </message>
    <message>
        <source>disk full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>The disk of the store on %1 is full.</source>
        <translation>%1 上存储所在的磁盘已满。</translation>
    </message>
    <message>
        <source>Free some space, then try again.</source>
        <translation>请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The engine was stopped.</source>
        <translation>引擎已停止。</translation>
    </message>
    <message>
        <source>Runs that were active go on; the queue waits until it is started again.</source>
        <translation>正在进行的运行会继续；队列等到引擎重新启动后再处理。</translation>
    </message>
    <message>
        <source>bad address</source>
        <translation>地址有误</translation>
    </message>
    <message>
        <source>This is not the address of an engine.</source>
        <translation>这不是引擎的地址。</translation>
    </message>
    <message>
        <source>Choose another one on the Engines page.</source>
        <translation>请在“引擎”页面另选一个。</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>The link to the engine on %1 was given up.</source>
        <translation>已放弃与 %1 上引擎的连接。</translation>
    </message>
    <message>
        <source>Try again, or choose another engine.</source>
        <translation>请重试，或另选一个引擎。</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>The engine answers, but cannot list its runs.</source>
        <translation>引擎有响应，但无法列出它的运行。</translation>
    </message>
    <message>
        <source>Reconnecting, stale since %1</source>
        <translation>正在重新连接，数据停在 %1</translation>
    </message>
    <message>
        <source>Reconnecting</source>
        <translation>正在重新连接</translation>
    </message>
    <message>
        <source>The link to %1 is lost; what you see is from %2.</source>
        <translation>与 %1 的连接已断开；当前显示的是 %2 的数据。</translation>
    </message>
    <message>
        <source>Runs go on without this window. It tries again by itself.</source>
        <translation>运行不依赖本窗口，会继续进行。连接会自动重试。</translation>
    </message>
    <message>
        <source>Closed: %1</source>
        <translation>已关闭：%1</translation>
    </message>
    <message>
        <source>Hint: %1.</source>
        <translation>提示：%1。</translation>
    </message>
    <message>
        <source>The engine is not connected.</source>
        <translation>尚未连接引擎。</translation>
    </message>
    <message>
        <source>%1 did not work for “%2”</source>
        <translation>对“%2”执行“%1”未成功</translation>
    </message>
    <message>
        <source>%1 did not work for %2 of %3 runs</source>
        <translation>%3 个运行中有 %2 个“%1”未成功</translation>
    </message>
    <message>
        <source>The run is done.</source>
        <translation>运行已完成。</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>运行失败。</translation>
    </message>
    <message>
        <source>The run was interrupted and can be resumed.</source>
        <translation>运行已中断，可以恢复。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>About Assay</source>
        <translation>关于 Assay</translation>
    </message>
    <message>
        <source>Measures what ways to make language models cheaper save, and what they cost in accuracy.</source>
        <translation>测量各种降低语言模型成本的方法能省多少，又损失多少精度。</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Protocol level</source>
        <translation>协议级别</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Pages, in the order of the rail</source>
        <translation>各页面，按导航栏中的顺序</translation>
    </message>
    <message>
        <source>From control to control</source>
        <translation>在控件之间移动</translation>
    </message>
    <message>
        <source>Opens the chosen row</source>
        <translation>打开所选的行</translation>
    </message>
    <message>
        <source>Copies the chosen rows of a table, or its curve from a chart</source>
        <translation>复制表格中所选的行，或图表中所选的曲线</translation>
    </message>
    <message>
        <source>Closes what floats above the page</source>
        <translation>关闭浮在页面上方的内容</translation>
    </message>
    <message>
        <source>Export the chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>The chart was not saved</source>
        <translation>图表未保存</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>保存为 PNG…</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>保存为 SVG…</translation>
    </message>
    <message>
        <source>Vector graphic (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Save as PDF…</source>
        <translation>保存为 PDF…</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF 文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Save the data as CSV…</source>
        <translation>将数据保存为 CSV…</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Copy as a picture</source>
        <translation>复制为图片</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>处理方式</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>如何解决</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>全量</translation>
    </message>
    <message>
        <source>Distill</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>asset</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>自带</translation>
    </message>
    <message>
        <source>“%1” is no whole number from %2 up</source>
        <translation>“%1”不是从 %2 起的整数</translation>
    </message>
    <message>
        <source>at most %1 numbers</source>
        <translation>最多 %1 个数字</translation>
    </message>
    <message>
        <source>Choose the file again.</source>
        <translation>请重新选择该文件。</translation>
    </message>
    <message>
        <source>%1 changed while it was uploaded.</source>
        <translation>%1 在上传过程中发生了变化。</translation>
    </message>
    <message>
        <source>Upload it again when nothing writes to it.</source>
        <translation>请在没有程序写入它时重新上传。</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>price −20 %</source>
        <translation>价格 −20 %</translation>
    </message>
    <message>
        <source>price +20 %</source>
        <translation>价格 +20 %</translation>
    </message>
    <message>
        <source>the price given</source>
        <translation>给定的价格</translation>
    </message>
    <message>
        <source>%1, utilisation %2</source>
        <translation>%1，利用率 %2</translation>
    </message>
    <message>
        <source>%1 is compressed, and uploads are read as they are.</source>
        <translation>%1 是压缩文件，而上传的文件按原样读取。</translation>
    </message>
    <message>
        <source>Unpack it first, or copy it to the engine&apos;s machine and choose it there.</source>
        <translation>请先解压，或者复制到引擎所在的机器，再在那里选择。</translation>
    </message>
    <message>
        <source>The data cannot be prepared</source>
        <translation>无法准备数据</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>template: %1</source>
        <translation>模板：%1</translation>
    </message>
    <message>
        <source>%1 could not be filled in</source>
        <translation>无法填写 %1</translation>
    </message>
    <message>
        <source>data: %1</source>
        <translation>数据：%1</translation>
    </message>
    <message>
        <source>model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>The run could not be read</source>
        <translation>无法读取该运行</translation>
    </message>
    <message>
        <source>run: %1</source>
        <translation>运行：%1</translation>
    </message>
    <message>
        <source>%1 cannot be changed here</source>
        <translation>这里不能更改 %1</translation>
    </message>
    <message>
        <source>The experiment could not be started</source>
        <translation>无法启动实验</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>已加入队列</translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 参数</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>紧张</translation>
    </message>
    <message>
        <source>too big</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>end of text</source>
        <translation>文本结束</translation>
    </message>
    <message>
        <source>token limit</source>
        <translation>达到 token 上限</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>上下文已满</translation>
    </message>
    <message>
        <source>There are %1 problems in all; the first ones are shown.</source>
        <translation>共有 %1 个问题；只显示最前面的。</translation>
    </message>
    <message>
        <source>Store is gone</source>
        <translation>存储已不在</translation>
    </message>
    <message>
        <source>The store of the engine on %1 was deleted, moved or replaced; nothing can be recorded.</source>
        <translation>%1 上引擎的存储已被删除、移动或替换；无法再记录任何内容。</translation>
    </message>
    <message>
        <source>Put the folder back where it was, or try again to begin with an empty store at the same place.</source>
        <translation>请把文件夹放回原处，或点“重试”在同一位置从空存储开始。</translation>
    </message>
    <message>
        <source>Put the folder back where it was on that machine, or stop the engine there and attach again.</source>
        <translation>请在那台机器上把文件夹放回原处，或停止那里的引擎后再次连接。</translation>
    </message>
    <message>
        <source>Disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Free some space. Runs go on, and what they write is taken in as soon as there is room.</source>
        <translation>请腾出一些空间。运行会继续，有空间后会立即补录它们写下的内容。</translation>
    </message>
    <message>
        <source>Cannot record</source>
        <translation>无法记录</translation>
    </message>
    <message>
        <source>The engine on %1 cannot record anything now.</source>
        <translation>%1 上的引擎现在无法记录任何内容。</translation>
    </message>
    <message>
        <source>The data of the chart was not saved</source>
        <translation>图表数据未保存</translation>
    </message>
    <message>
        <source>The data of the chart is saved</source>
        <translation>图表数据已保存</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln point(s)</source>
        <translation>
            <numerusform>%1，%Ln 个点</numerusform>
        </translation>
    </message>
    <message>
        <source>0: at the end only</source>
        <translation>0：只在结束时保存</translation>
    </message>
    <message>
        <source>a share of the training data</source>
        <translation>训练数据的一部分</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <extracomment>A setting and its key in the file: Prompt lengths (benchmark.prefill)</extracomment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Choose a dataset.</source>
        <translation>请选择数据集。</translation>
    </message>
    <message>
        <source>Choose a held-out dataset.</source>
        <translation>请选择验证数据集。</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>请选择模型。</translation>
    </message>
    <message>
        <source>Choose a model for “%1”.</source>
        <translation>请为“%1”选择模型。</translation>
    </message>
    <message>
        <source>Choose a file for “%1”.</source>
        <translation>请为“%1”选择文件。</translation>
    </message>
</context>
<context>
    <name>assay::models::DataRowsModel</name>
    <message>
        <source>No text</source>
        <translation>没有文本</translation>
    </message>
    <message>
        <source>Longer than a document may be</source>
        <translation>超过文档允许的长度</translation>
    </message>
    <message>
        <source>Not UTF-8</source>
        <translation>不是 UTF-8 编码</translation>
    </message>
    <message>
        <source>Holds NUL characters</source>
        <translation>含有 NUL 字符</translation>
    </message>
    <message>
        <source>Other number of fields than the header</source>
        <translation>字段数与表头不同</translation>
    </message>
    <message>
        <source>Not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>A mapped column is missing</source>
        <translation>缺少映射的列</translation>
    </message>
    <message>
        <source>The mapped column holds no text</source>
        <translation>映射的列不含文本</translation>
    </message>
    <message>
        <source>Unknown speaker</source>
        <translation>未知的说话者</translation>
    </message>
    <message>
        <source>Broken JSON</source>
        <translation>JSON 已损坏</translation>
    </message>
    <message>
        <source>Duplicate of an earlier row</source>
        <translation>与前面的行重复</translation>
    </message>
    <message>
        <source>Row %1, line %2 of the file</source>
        <translation>第 %1 行，文件中第 %2 行</translation>
    </message>
    <message>
        <source>(cut after 2,000 characters)</source>
        <translation>（2,000 个字符之后已截去）</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Column “%1”: not used</source>
        <translation>列“%1”：未使用</translation>
    </message>
    <message>
        <source>Column “%1”: %2</source>
        <translation>列“%1”：%2</translation>
    </message>
</context>
<context>
    <name>assay::models::RunTableModel</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
</context>
<context>
    <name>assay::pages::AnswerCard</name>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>costs in accuracy</source>
        <translation>精度代价</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Differs from the baseline in</source>
        <translation>与基线的不同之处</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::BenchmarkPage</name>
    <message>
        <source>Benchmark</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation>测量内容</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Schemes, none: the model as it is</source>
        <translation>量化格式；不选则按模型原样</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示 token 数</translation>
    </message>
    <message>
        <source>One or more numbers, with spaces</source>
        <translation>一个或多个数字，用空格分隔</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Sequences at once; one or more numbers</source>
        <translation>同时处理的序列数；一个或多个数字</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Tokens already in the cache; one or more numbers</source>
        <translation>缓存中已有的 token 数；一个或多个数字</translation>
    </message>
    <message>
        <source>Generated tokens</source>
        <translation>生成 token 数</translation>
    </message>
    <message>
        <source>Tokens generated after the prompt</source>
        <translation>在提示之后生成的 token 数</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Measurements of each; the median is shown. Percentiles need 44 or more.</source>
        <translation>每项的测量次数，显示中位数。百分位数需要 44 次以上。</translation>
    </message>
    <message>
        <source>The same as a command</source>
        <translation>对应的命令</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Benchmark runs</source>
        <translation>基准测试运行</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>No benchmark yet.</source>
        <translation>还没有基准测试。</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个 token</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>每个 token</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>What the bars show</source>
        <translation>柱形图显示的内容</translation>
    </message>
    <message>
        <source>Results by shape and scheme</source>
        <translation>按形状和量化格式列出的结果</translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>量化格式</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Nothing was measured yet.</source>
        <translation>尚未测量任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s), and one of each to warm up</source>
        <translation>
            <numerusform>%n 次测量，另各预热一次</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a model and start. Schemes are measured in turn, so that all see the same machine.</source>
        <translation>请选择模型并开始。各量化格式轮流测量，因此面对的机器状态相同。</translation>
    </message>
    <message>
        <source>Results come when the last repeat is done.</source>
        <translation>最后一次重复完成后显示结果。</translation>
    </message>
    <message>
        <source>This run has no results.</source>
        <translation>此运行没有结果。</translation>
    </message>
    <message>
        <source>Prefill, tokens/s</source>
        <translation>预填充，tokens/s</translation>
    </message>
    <message>
        <source>Decode, tokens/s</source>
        <translation>解码，tokens/s</translation>
    </message>
    <message>
        <source>First token, ms</source>
        <translation>首个 token，ms</translation>
    </message>
    <message>
        <source>Per token, ms</source>
        <translation>每个 token，ms</translation>
    </message>
</context>
<context>
    <name>assay::pages::ColumnChooser</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Search columns</source>
        <translation>搜索列</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>assay::pages::ComparePage</name>
    <message>
        <source>The report was not written</source>
        <translation>报告未写出</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>not live</source>
        <translation>未实时更新</translation>
    </message>
    <message>
        <source>Cost vs accuracy</source>
        <translation>成本与精度</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Parallel axes</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Config diff</source>
        <translation>配置差异</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Add runs…</source>
        <translation>添加运行…</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Metric of the target</source>
        <translation>目标的指标</translation>
    </message>
    <message>
        <source>Value of the target</source>
        <translation>目标的值</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Choose runs to see what each set-up saves and what it costs in accuracy.</source>
        <translation>选择一些运行，看看每个方案节省多少、精度代价多大。</translation>
    </message>
    <message>
        <source>Choose runs…</source>
        <translation>选择运行…</translation>
    </message>
    <message>
        <source>Recent runs with results</source>
        <translation>最近有结果的运行</translation>
    </message>
    <message>
        <source>Compare selected</source>
        <translation>比较所选</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>No finished run yet. Run an experiment first.</source>
        <translation>还没有完成的运行。请先运行一个实验。</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写出…</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message numerus="yes">
        <source>and %n more; all are in the exported report</source>
        <translation>
            <numerusform>还有 %n 项；全部见导出的报告</numerusform>
        </translation>
    </message>
    <message>
        <source>What limits this comparison</source>
        <translation>这次比较的局限</translation>
    </message>
    <message>
        <source>Use as baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Remove “%1” from the comparison</source>
        <translation>从比较中移除“%1”</translation>
    </message>
    <message>
        <source>Web page (*.html);;PDF (*.pdf);;Spreadsheet (*.csv);;JSON (*.json)</source>
        <translation>网页 (*.html);;PDF (*.pdf);;电子表格 (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>Report written</source>
        <translation>报告已写出</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>assay::pages::ConfigTab</name>
    <message>
        <source>Whole file</source>
        <translation>整个文件</translation>
    </message>
    <message>
        <source>Not default</source>
        <translation>非默认值</translation>
    </message>
    <message>
        <source>Against the baseline</source>
        <translation>与基线对比</translation>
    </message>
    <message>
        <source>What to show</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>Resolved experiment file</source>
        <translation>解析后的实验文件</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>此运行</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>No difference.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>No other run is pinned as the baseline.</source>
        <translation>没有固定其他运行作为基线。</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
</context>
<context>
    <name>assay::pages::ConfigView</name>
    <message>
        <source>Settings that differ</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>The set-ups differ in no setting.</source>
        <translation>各方案的设置没有差异。</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n 项设置</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::CostView</name>
    <message>
        <source>Cost against accuracy</source>
        <translation>成本与精度</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>x 对数</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴用对数刻度</translation>
    </message>
    <message>
        <source>cost against accuracy</source>
        <translation>成本与精度</translation>
    </message>
    <message>
        <source>Cost against accuracy of every set-up</source>
        <translation>每个方案的成本与精度</translation>
    </message>
    <message>
        <source>x: %1</source>
        <translation>x：%1</translation>
    </message>
    <message>
        <source>y: %1</source>
        <translation>y：%1</translation>
    </message>
    <message>
        <source>target %1 %2</source>
        <translation>目标 %1 %2</translation>
    </message>
</context>
<context>
    <name>assay::pages::CurveCard</name>
    <message>
        <source>No points yet</source>
        <translation>还没有数据点</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>running time</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>%1, raw</source>
        <translation>%1，原始</translation>
    </message>
    <message>
        <source>%1 points, min-max per pixel</source>
        <translation>%1 个点，每像素取最小和最大值</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 个非有限值</translation>
    </message>
</context>
<context>
    <name>assay::pages::CurvesTab</name>
    <message>
        <source>Add a chart</source>
        <translation>添加图表</translation>
    </message>
    <message>
        <source>This run has recorded no curve yet.</source>
        <translation>此运行尚未记录曲线。</translation>
    </message>
    <message>
        <source>Add a chart…</source>
        <translation>添加图表…</translation>
    </message>
    <message>
        <source>Remove the chart of %1</source>
        <translation>移除 %1 的图表</translation>
    </message>
    <message>
        <source>Remove this chart</source>
        <translation>移除此图表</translation>
    </message>
</context>
<context>
    <name>assay::pages::CurvesView</name>
    <message>
        <source>Training curves</source>
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>Curves shown</source>
        <translation>显示的曲线</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>held-out loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>both losses</source>
        <translation>两种损失</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>by tokens</source>
        <translation>按 token</translation>
    </message>
    <message>
        <source>by cost</source>
        <translation>按成本</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>not smoothed</source>
        <translation>不平滑</translation>
    </message>
    <message>
        <source>smoothing 0.6</source>
        <translation>平滑 0.6</translation>
    </message>
    <message>
        <source>smoothing 0.9</source>
        <translation>平滑 0.9</translation>
    </message>
    <message>
        <source>smoothing 0.97</source>
        <translation>平滑 0.97</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>x 对数</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>y 对数</translation>
    </message>
    <message>
        <source>training curves</source>
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>None of these runs trained a model.</source>
        <translation>这些运行都没有训练模型。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>running time</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>loss, nats per token</source>
        <translation>损失，nat/token</translation>
    </message>
    <message>
        <source>%1, held-out</source>
        <translation>%1，验证</translation>
    </message>
    <message>
        <source>%1, training</source>
        <translation>%1，训练</translation>
    </message>
    <message>
        <source>%1 points, min-max per pixel</source>
        <translation>%1 个点，每像素取最小和最大值</translation>
    </message>
</context>
<context>
    <name>assay::pages::DataPage</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Use in an experiment</source>
        <translation>用于实验</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Open on %1…</source>
        <translation>打开 %1 上的文件…</translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Upload from this machine…</source>
        <translation>从本机上传…</translation>
    </message>
    <message>
        <source>Add a file of that machine…</source>
        <translation>添加那台机器上的文件…</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add files of this machine…</source>
        <translation>添加本机的文件…</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Close the dataset</source>
        <translation>关闭数据集</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Parts of the page</source>
        <translation>页面的各部分</translation>
    </message>
    <message>
        <source>View and lengths</source>
        <translation>视图与长度</translation>
    </message>
    <message>
        <source>The file could not be uploaded.</source>
        <translation>文件无法上传。</translation>
    </message>
    <message>
        <source>The dataset could not be read.</source>
        <translation>无法读取数据集。</translation>
    </message>
    <message>
        <source>Reading every row…</source>
        <translation>正在读取每一行…</translation>
    </message>
    <message>
        <source>all %1 rows used</source>
        <translation>使用全部 %1 行</translation>
    </message>
    <message>
        <source>%1 of %2 rows used</source>
        <translation>使用 %2 行中的 %1 行</translation>
    </message>
    <message>
        <source>Tokenizes and packs the data with these settings; experiments with the same settings take it as it is.</source>
        <translation>按这些设置对数据分词并打包；设置相同的实验会直接使用它。</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（%2 / %3）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>checking: %1</source>
        <translation>正在检查：%1</translation>
    </message>
    <message>
        <source>Choose a dataset on %1</source>
        <translation>选择 %1 上的数据集</translation>
    </message>
    <message>
        <source>Open a dataset</source>
        <translation>打开数据集</translation>
    </message>
    <message>
        <source>Upload to %1</source>
        <translation>上传到 %1</translation>
    </message>
    <message>
        <source>Choose a tokenizer on %1</source>
        <translation>选择 %1 上的分词器</translation>
    </message>
    <message>
        <source>Choose a tokenizer</source>
        <translation>选择分词器</translation>
    </message>
    <message>
        <source>Tokenizers (tokenizer.json *.gguf);;All files (*)</source>
        <translation>分词器 (tokenizer.json *.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 of %2 · %3/s · %4 left</source>
        <translation>%1 / %2 · %3/s · 剩余 %4</translation>
    </message>
    <message>
        <source>Datasets (*.txt *.jsonl *.ndjson *.json *.csv *.tsv *.parquet *.arrow *.gz *.zst);;All files (*)</source>
        <translation>数据集 (*.txt *.jsonl *.ndjson *.json *.csv *.tsv *.parquet *.arrow *.gz *.zst);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a folder on %1…</source>
        <translation>打开 %1 上的文件夹…</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Choose a folder with a dataset on %1</source>
        <translation>选择 %1 上含数据集的文件夹</translation>
    </message>
    <message>
        <source>Choose a folder with a dataset</source>
        <translation>选择含数据集的文件夹</translation>
    </message>
</context>
<context>
    <name>assay::pages::DataTab</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>This run uses no training data.</source>
        <translation>此运行不使用训练数据。</translation>
    </message>
</context>
<context>
    <name>assay::pages::DeltaTable</name>
    <message>
        <source>Set-ups against the baseline</source>
        <translation>各方案与基线对比</translation>
    </message>
    <message>
        <source>No set-up lies inside every brush.</source>
        <translation>没有方案同时落在所有选区内。</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Cost against the baseline</source>
        <translation>相对基线的成本</translation>
    </message>
    <message>
        <source>PPL ratio ± se</source>
        <translation>PPL 比 ± 标准误</translation>
    </message>
    <message>
        <source>Not separable: the 95 % interval of the difference spans zero.</source>
        <translation>无法区分：差值的 95 % 区间包含零。</translation>
    </message>
    <message>
        <source>Top-1 changed</source>
        <translation>首选改变率</translation>
    </message>
    <message>
        <source>Share of tokens for which the most probable next token is another than the full-precision model&apos;s.</source>
        <translation>最可能的下一个 token 与全精度模型不同的 token 所占比例。</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Cost vs baseline</source>
        <translation>成本对基线</translation>
    </message>
    <message>
        <source>Δ to baseline</source>
        <translation>与基线之差</translation>
    </message>
    <message>
        <source>Decode, tokens/s</source>
        <translation>解码，tokens/s</translation>
    </message>
    <message>
        <source>Step, ms</source>
        <translation>每步，ms</translation>
    </message>
    <message>
        <source>Memory, MB</source>
        <translation>内存，MB</translation>
    </message>
</context>
<context>
    <name>assay::pages::EngineRow</name>
    <message>
        <source>started with the window when needed</source>
        <translation>需要时随窗口启动</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
</context>
<context>
    <name>assay::pages::EnginesPage</name>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>An engine works on the queue of one machine and keeps its runs. The window can be attached to one at a time; runs go on without it.</source>
        <translation>引擎处理一台机器的队列，并保存它的运行。窗口一次只能连接一个引擎；没有窗口，运行也会继续。</translation>
    </message>
    <message>
        <source>Known engines</source>
        <translation>已知的引擎</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Protocol level</source>
        <translation>协议级别</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Up for</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>Active runs</source>
        <translation>进行中的运行</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
    <message>
        <source>Add an engine</source>
        <translation>添加引擎</translation>
    </message>
    <message>
        <source>Address: ssh://[user@]host for a machine that you reach by ssh, or ws://host:port.</source>
        <translation>地址：能用 ssh 访问的机器写 ssh://[user@]host，或者写 ws://host:port。</translation>
    </message>
    <message>
        <source>Address of an engine</source>
        <translation>引擎的地址</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Add and attach</source>
        <translation>添加并连接</translation>
    </message>
    <message>
        <source>Attached</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Start the engine</source>
        <translation>启动引擎</translation>
    </message>
    <message>
        <source>Stop the engine</source>
        <translation>停止引擎</translation>
    </message>
    <message>
        <source>Active runs go on; the queue waits until the engine is started again.</source>
        <translation>正在进行的运行会继续；队列等到引擎重新启动后再处理。</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>Back to the engine of this machine; the other one goes on.</source>
        <translation>回到本机的引擎；另一个会继续工作。</translation>
    </message>
    <message>
        <source>Set up another machine</source>
        <translation>设置另一台机器</translation>
    </message>
    <message>
        <source>1.  Build or copy Assay there, so that its folder bin holds assay, assay-engine and assay-worker.</source>
        <translation>1.  在那里构建或复制 Assay，使其 bin 文件夹含有 assay、assay-engine 和 assay-worker。</translation>
    </message>
    <message>
        <source>2.  Put that folder on the PATH that ssh sees, or name the program in ASSAY_REMOTE_PROGRAM.</source>
        <translation>2.  把该文件夹加入 ssh 所见的 PATH，或在 ASSAY_REMOTE_PROGRAM 中写明程序。</translation>
    </message>
    <message>
        <source>3.  Check from here that it answers:</source>
        <translation>3.  从这里检查它是否响应：</translation>
    </message>
    <message>
        <source>4.  Add ssh://HOST above. The engine is started over there when it does not run, and its port stays closed to the network: everything goes through ssh.</source>
        <translation>4.  在上方添加 ssh://HOST。那边的引擎没有运行时会自动启动，其端口不对网络开放：一切都经过 ssh。</translation>
    </message>
</context>
<context>
    <name>assay::pages::ExperimentPage</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
    <message>
        <source>Form or YAML</source>
        <translation>表单或 YAML</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>起始于</translation>
    </message>
    <message>
        <source>Sweep…</source>
        <translation>参数扫描…</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Command copied</source>
        <translation>命令已复制</translation>
    </message>
    <message>
        <source>Save YAML</source>
        <translation>保存 YAML</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Simple</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Simple or advanced</source>
        <translation>简单或高级</translation>
    </message>
    <message>
        <source>same thing</source>
        <translation>内容相同</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>1 value differs from its default</source>
        <translation>1 个值与默认值不同</translation>
    </message>
    <message>
        <source>%1 values differ from defaults</source>
        <translation>%1 个值与默认值不同</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Experiments (*.yaml *.yml)</source>
        <translation>实验 (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Experiments (*.yaml)</source>
        <translation>实验 (*.yaml)</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a file on %1</source>
        <translation>选择 %1 上的文件</translation>
    </message>
    <message>
        <source>Replace it?</source>
        <translation>要替换吗？</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 有未保存的更改。</translation>
    </message>
    <message>
        <source>You can come back to them with undo.</source>
        <translation>可以用撤销找回它们。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Keep writing</source>
        <translation>继续编写</translation>
    </message>
    <message>
        <source>The text was not put in</source>
        <translation>文本未粘贴</translation>
    </message>
    <message>
        <source>It has %1 characters. An experiment file holds at most %2, and %3 in one line; put data into a file of its own and name it as the training data.</source>
        <translation>它有 %1 个字符。实验文件最多容纳 %2 个，单行最多 %3 个；请把数据放进单独的文件，并把它设为训练数据。</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
</context>
<context>
    <name>assay::pages::FieldRow</name>
    <message>
        <source>Differs from the default</source>
        <translation>与默认值不同</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>模型自带</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>可选：%1</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Typical: %1</source>
        <translation>常用：%1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Back to the default (%1)</source>
        <translation>恢复默认值（%1）</translation>
    </message>
</context>
<context>
    <name>assay::pages::FilterLine</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter, for example: eval/loss &lt; 3.5 and tag = demo</source>
        <translation>筛选，例如：eval/loss &lt; 3.5 and tag = demo</translation>
    </message>
</context>
<context>
    <name>assay::pages::FormView</name>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>Add: %1</source>
        <translation>添加：%1</translation>
    </message>
    <message>
        <source>Remove: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>Take this section out of the file</source>
        <translation>从文件中去掉这一节</translation>
    </message>
    <message>
        <source>Add to this experiment</source>
        <translation>添加到此实验</translation>
    </message>
</context>
<context>
    <name>assay::pages::HomePage</name>
    <message>
        <source>Home</source>
        <translation>主页</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>运行演示</translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation>还没有运行。</translation>
    </message>
    <message>
        <source>Waiting for the engine…</source>
        <translation>正在等待引擎…</translation>
    </message>
    <message>
        <source>%1 in the store</source>
        <translation>存储中有 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 个核心</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory used</source>
        <translation>已用内存</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Runs and results</source>
        <translation>运行与结果</translation>
    </message>
    <message>
        <source>Other files on the disk</source>
        <translation>磁盘上的其他文件</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>CPU in use</source>
        <translation>CPU 占用</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>none; runs use the CPU</source>
        <translation>无；运行使用 CPU</translation>
    </message>
    <message>
        <source>What do your models cost, and what would cheaper ones lose?</source>
        <translation>你的模型花费多少，更便宜的模型会损失什么？</translation>
    </message>
    <message>
        <source>The demo trains a small language model on this machine, makes 16-, 8- and 4-bit versions of it, and measures size, speed and accuracy of each. It takes a few minutes on two cores and needs no network.</source>
        <translation>演示会在本机训练一个小型语言模型，制作 16、8 和 4 位版本，并测量各自的大小、速度和精度。双核机器只需几分钟，不需要网络。</translation>
    </message>
    <message>
        <source>Open a dataset</source>
        <translation>打开数据集</translation>
    </message>
    <message>
        <source>Running and waiting</source>
        <translation>进行中和等待中</translation>
    </message>
    <message>
        <source>Recent runs</source>
        <translation>最近的运行</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有运行</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>assay::pages::LatestCard</name>
    <message>
        <source>Cost against accuracy</source>
        <translation>成本与精度</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare the set-ups of the newest experiment</source>
        <translation>比较最新实验的各个方案</translation>
    </message>
    <message>
        <source>Cost against accuracy of the newest experiment</source>
        <translation>最新实验的成本与精度</translation>
    </message>
</context>
<context>
    <name>assay::pages::LengthsCard</name>
    <message>
        <source>Length, tokens per row</source>
        <translation>长度，每行 token 数</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Histogram of lengths</source>
        <translation>长度直方图</translation>
    </message>
    <message>
        <source>Not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>Lengths cannot be measured.</source>
        <translation>无法测量长度。</translation>
    </message>
    <message>
        <source>Tokenizing every row…</source>
        <translation>正在对每一行分词…</translation>
    </message>
    <message>
        <source>measured on a sample</source>
        <translation>按样本测得</translation>
    </message>
    <message>
        <source>about %1 tokens · %2 carry loss</source>
        <translation>约 %1 个 token · %2 计入损失</translation>
    </message>
    <message>
        <source>%1 tokens · %2 carry loss</source>
        <translation>%1 个 token · %2 计入损失</translation>
    </message>
    <message>
        <source>shortest %1</source>
        <translation>最短 %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation>最长 %1</translation>
    </message>
    <message>
        <source>%1 rows over %2</source>
        <translation>%1 行超过 %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>concatenated</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>best fit</source>
        <translation>最佳适配</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Padding with packing %1</source>
        <translation>打包方式为 %1 时的填充</translation>
    </message>
</context>
<context>
    <name>assay::pages::LineageTab</name>
    <message>
        <source>Relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>谱系</translation>
    </message>
    <message>
        <source>Nothing belongs to this run yet.</source>
        <translation>还没有与此运行相关的内容。</translation>
    </message>
</context>
<context>
    <name>assay::pages::ModelBox</name>
    <message>
        <source>choose, or type a path or run:ID</source>
        <translation>选择，或输入路径或 run:ID</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>assay::pages::ModelDetails</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Select a model to see what it is made of and what can be done with it.</source>
        <translation>选择一个模型，查看它的构成以及能用它做什么。</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Set-ups</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Part of the details</source>
        <translation>详情的各部分</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>基本信息</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>量化格式</translation>
    </message>
    <message>
        <source>No run has quantized this model yet.</source>
        <translation>还没有运行量化过此模型。</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Quantize and benchmark</source>
        <translation>量化并做基准测试</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Copy reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>Open its run</source>
        <translation>打开生成它的运行</translation>
    </message>
    <message>
        <source>Reference copied</source>
        <translation>引用已复制</translation>
    </message>
    <message>
        <source>This model cannot be used.</source>
        <translation>此模型不能使用。</translation>
    </message>
    <message>
        <source>The details could not be read.</source>
        <translation>无法读取详情。</translation>
    </message>
    <message>
        <source>Reading its tensors…</source>
        <translation>正在读取张量…</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>数值格式</translation>
    </message>
    <message>
        <source>Memory here</source>
        <translation>本机内存</translation>
    </message>
    <message>
        <source>Weights, a tenth more for everything else, and the cache of one sequence of at most 4,096 tokens</source>
        <translation>权重，另加一成用于其他开销，以及一条序列（最多 4,096 个 token）的缓存</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>%1, %2 for keys and values</source>
        <translation>%1，键和值 %2</translation>
    </message>
    <message>
        <source>Feed-forward size</source>
        <translation>前馈维度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>Folder or file</source>
        <translation>文件夹或文件</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No tensors.</source>
        <translation>没有张量。</translation>
    </message>
    <message>
        <source>The model has a chat template; it lies in its tokenizer: %1</source>
        <translation>模型有对话模板，位于它的分词器中：%1</translation>
    </message>
    <message>
        <source>The model has no chat template.</source>
        <translation>模型没有对话模板。</translation>
    </message>
    <message>
        <source>%1: about %2 of %3</source>
        <translation>%1：约 %2，共 %3</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
</context>
<context>
    <name>assay::pages::ModelsPage</name>
    <message>
        <source>Models that you train appear here by themselves. Add a folder with .gguf files or Hugging Face models to measure those too.</source>
        <translation>训练出的模型会自动出现在这里。添加含有 .gguf 文件或 Hugging Face 模型的文件夹，也可以测量它们。</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>List and details</source>
        <translation>列表与详情</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Remove %1 from the list</source>
        <translation>从列表中移除 %1</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Whether it fits the memory of this machine</source>
        <translation>是否放得进本机内存</translation>
    </message>
    <message>
        <source>unusable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Set-ups</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Quantize and benchmark</source>
        <translation>量化并做基准测试</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Open the run that made it</source>
        <translation>打开生成它的运行</translation>
    </message>
    <message>
        <source>Copy reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>The models could not be listed.</source>
        <translation>无法列出模型。</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>No models.</source>
        <translation>没有模型。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>添加含模型的文件夹</translation>
    </message>
    <message>
        <source>Add a folder of %1</source>
        <translation>添加 %1 上的文件夹</translation>
    </message>
</context>
<context>
    <name>assay::pages::OutputCard</name>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Generated text</source>
        <translation>生成的文本</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Token id</source>
        <translation>token 编号</translation>
    </message>
    <message>
        <source>Logit</source>
        <translation>Logit 值</translation>
    </message>
    <message>
        <source>Share of listed</source>
        <translation>所列中的占比</translation>
    </message>
    <message>
        <source>Probability among the tokens listed here; the rest of the vocabulary is not counted</source>
        <translation>在此处所列 token 中的概率；不计词表的其余部分</translation>
    </message>
    <message>
        <source>Largest logits after the prompt</source>
        <translation>提示之后最大的 logit</translation>
    </message>
    <message>
        <source>What the model writes appears here.</source>
        <translation>模型写出的内容显示在这里。</translation>
    </message>
    <message>
        <source>First model</source>
        <translation>第一个模型</translation>
    </message>
    <message>
        <source>Second model</source>
        <translation>第二个模型</translation>
    </message>
    <message>
        <source>sending</source>
        <translation>正在发送</translation>
    </message>
    <message>
        <source>Waiting for the first token…</source>
        <translation>正在等待首个 token…</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message numerus="yes">
        <source>%n prompt token(s)</source>
        <translation>
            <numerusform>%n 个提示 token</numerusform>
        </translation>
    </message>
    <message>
        <source>stopped by: %1</source>
        <translation>停止原因：%1</translation>
    </message>
    <message>
        <source>Token text</source>
        <translation>token 文本</translation>
    </message>
    <message>
        <source>The most likely first tokens after the prompt; spaces are shown as ·</source>
        <translation>提示之后最可能的首个 token；空格显示为 ·</translation>
    </message>
    <message>
        <source>Its number in the vocabulary</source>
        <translation>它在词表中的编号</translation>
    </message>
</context>
<context>
    <name>assay::pages::ParallelView</name>
    <message>
        <source>Settings and results</source>
        <translation>设置与结果</translation>
    </message>
    <message>
        <source>drag along an axis to keep what lies inside</source>
        <translation>沿轴拖动，只保留选区内的内容</translation>
    </message>
    <message>
        <source>parallel axes</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Settings and results of every set-up</source>
        <translation>每个方案的设置与结果</translation>
    </message>
</context>
<context>
    <name>assay::pages::PlanCard</name>
    <message>
        <source>Before you run</source>
        <translation>运行之前</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Estimating</source>
        <translation>正在估算</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>not ready</source>
        <translation>未就绪</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍然开始</translation>
    </message>
    <message>
        <source>Starts the run and shows it (Ctrl+Return)</source>
        <translation>启动运行并显示它（Ctrl+Return）</translation>
    </message>
    <message>
        <source>Puts the run into the queue and stays here</source>
        <translation>将运行加入队列，并停留在此页</translation>
    </message>
    <message>
        <source>too big here</source>
        <translation>在本机放不下</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>紧张</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>estimate</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1 / step%2</source>
        <translation>%1 / 步%2</translation>
    </message>
    <message>
        <source>at %1/h</source>
        <translation>按 %1/h</translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>no power known</source>
        <translation>功率未知</translation>
    </message>
    <message>
        <source>each, about</source>
        <translation>每个约</translation>
    </message>
    <message>
        <source>nothing is trained</source>
        <translation>不训练</translation>
    </message>
    <message>
        <source>The same on</source>
        <translation>在其他机器上</translation>
    </message>
    <message>
        <source>too big</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>Paths are those of %1, where this will run.</source>
        <translation>路径是 %1 上的路径，运行将在那里进行。</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>还有 %n 项。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no estimate: %1</source>
        <translation>没有估算：%1</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>free for the store</source>
        <translation>存储可用</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>assay::pages::PredictionCard</name>
    <message>
        <source>Predicted and measured</source>
        <translation>预测与实测</translation>
    </message>
    <message>
        <source>Predicted and measured as bars</source>
        <translation>预测与实测的条形图</translation>
    </message>
    <message>
        <source>upper: predicted, lower: measured, shaded: allowed</source>
        <translation>上：预测，下：实测，阴影：允许范围</translation>
    </message>
    <message>
        <source>Upper bar: predicted. Lower bar: measured. Shaded: what the prediction allowed.</source>
        <translation>上条：预测。下条：实测。阴影：预测允许的范围。</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>The prediction stated %1.</source>
        <translation>预测给出的误差范围是 %1。</translation>
    </message>
    <message>
        <source>The prediction is exact by arithmetic.</source>
        <translation>这项预测由算术得出，应当完全一致。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>assay::pages::ProofCard</name>
    <message>
        <source>Resume proof</source>
        <translation>续跑验证</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未验证</translation>
    </message>
    <message>
        <source>Some steps are done again from a checkpoint and compared bit by bit with what this run recorded.</source>
        <translation>从一个检查点起重做若干步，并与本次运行的记录逐位比较。</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再次验证</translation>
    </message>
    <message>
        <source>Check resuming</source>
        <translation>验证续跑</translation>
    </message>
    <message>
        <source>Does the steps up to the next checkpoint again; the run itself stays as it is</source>
        <translation>重做到下一个检查点为止的各步；运行本身保持不变</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Open the check</source>
        <translation>打开验证</translation>
    </message>
</context>
<context>
    <name>assay::pages::RowsCard</name>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows that contain</source>
        <translation>包含以下内容的行</translation>
    </message>
    <message>
        <source>Rows that contain…</source>
        <translation>包含以下内容的行…</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Rows or problems</source>
        <translation>行或问题</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Read as</source>
        <translation>读取格式</translation>
    </message>
    <message>
        <source>What a row holds</source>
        <translation>一行的内容</translation>
    </message>
    <message>
        <source>Rows hold</source>
        <translation>行的内容</translation>
    </message>
    <message>
        <source>Text from</source>
        <translation>文本列</translation>
    </message>
    <message>
        <source>Prompt from</source>
        <translation>提示列</translation>
    </message>
    <message>
        <source>Completion from</source>
        <translation>补全列</translation>
    </message>
    <message>
        <source>Guess again</source>
        <translation>重新识别</translation>
    </message>
    <message>
        <source>Every row can be used as it is.</source>
        <translation>每一行都可以直接使用。</translation>
    </message>
    <message>
        <source>%1 (auto)</source>
        <translation>%1（自动）</translation>
    </message>
    <message>
        <source>One text</source>
        <translation>一段文本</translation>
    </message>
    <message>
        <source>Prompt and completion</source>
        <translation>提示与补全</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（缺失）</translation>
    </message>
    <message>
        <source>Guessed: %1</source>
        <translation>识别为：%1</translation>
    </message>
    <message>
        <source>Chosen by you</source>
        <translation>由你选择</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Problems · %1</source>
        <translation>问题 · %1</translation>
    </message>
    <message>
        <source>The rows cannot be read.</source>
        <translation>无法读取行。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No rows.</source>
        <translation>没有行。</translation>
    </message>
    <message>
        <source>No row contains this.</source>
        <translation>没有行包含此内容。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) contain it</source>
        <translation>
            <numerusform>%Ln 行包含它</numerusform>
        </translation>
    </message>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging Face 文件夹</translation>
    </message>
</context>
<context>
    <name>assay::pages::RunOverview</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory by use</source>
        <translation>内存用途</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Two held-out perplexities: training scores the held-out text in packed sequences like those it trains on, evaluation in windows of its own length. Compare each only with others of its kind.</source>
        <translation>两个验证困惑度的算法不同：训练按打包后的训练序列计算验证文本，评估按自己长度的窗口计算。请只与同类的数值比较。</translation>
    </message>
</context>
<context>
    <name>assay::pages::RunPage</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>返回运行列表</translation>
    </message>
    <message>
        <source>not live</source>
        <translation>未实时更新</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>New from this</source>
        <translation>以此新建</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Config</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>谱系</translation>
    </message>
    <message>
        <source>Parts of the run</source>
        <translation>运行的各部分</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>by tokens</source>
        <translation>按 token</translation>
    </message>
    <message>
        <source>by cost</source>
        <translation>按成本</translation>
    </message>
    <message>
        <source>by energy</source>
        <translation>按能耗</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>not smoothed</source>
        <translation>不平滑</translation>
    </message>
    <message>
        <source>smoothing 0.6</source>
        <translation>平滑 0.6</translation>
    </message>
    <message>
        <source>smoothing 0.9</source>
        <translation>平滑 0.9</translation>
    </message>
    <message>
        <source>smoothing 0.97</source>
        <translation>平滑 0.97</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>x 对数</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>y 对数</translation>
    </message>
    <message>
        <source>Stop now and discard</source>
        <translation>立即停止并丢弃</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>固定为基线</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Copy run ID</source>
        <translation>复制运行 ID</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delete this run?</source>
        <translation>要删除此运行吗？</translation>
    </message>
    <message>
        <source>The run, its checkpoints and its results are deleted. This cannot be undone.</source>
        <translation>将删除该运行及其检查点和结果。此操作无法撤销。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Finish the step, save a checkpoint and stop</source>
        <translation>完成当前步，保存检查点后停止</translation>
    </message>
    <message>
        <source>Go on from the last checkpoint</source>
        <translation>从最近的检查点继续</translation>
    </message>
    <message>
        <source>The run is not loaded yet.</source>
        <translation>运行尚未加载。</translation>
    </message>
    <message>
        <source>A new experiment with this run&apos;s settings</source>
        <translation>用此运行的设置新建实验</translation>
    </message>
    <message>
        <source>Its set-ups by cost and accuracy</source>
        <translation>它的各方案，按成本和精度比较</translation>
    </message>
    <message>
        <source>Check resuming</source>
        <translation>验证续跑</translation>
    </message>
</context>
<context>
    <name>assay::pages::RunPicker</name>
    <message>
        <source>Search runs</source>
        <translation>搜索运行</translation>
    </message>
    <message>
        <source>Search finished runs by name</source>
        <translation>按名称搜索已完成的运行</translation>
    </message>
    <message>
        <source>Runs to compare</source>
        <translation>要比较的运行</translation>
    </message>
    <message>
        <source>No finished run yet.</source>
        <translation>还没有已完成的运行。</translation>
    </message>
    <message>
        <source>No finished run has this name.</source>
        <translation>没有叫这个名称的已完成运行。</translation>
    </message>
</context>
<context>
    <name>assay::pages::RunProgressRow</name>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Take off the queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
</context>
<context>
    <name>assay::pages::RunsPage</name>
    <message>
        <source>Note on the filter</source>
        <translation>关于筛选的说明</translation>
    </message>
    <message>
        <source>not live</source>
        <translation>未实时更新</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Stop and save</source>
        <translation>停止并保存</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组依据</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>已加入队列</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Kind of run</source>
        <translation>运行类型</translation>
    </message>
    <message>
        <source>Every kind</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Show stages, seeds and sweep members beside the runs they belong to</source>
        <translation>将阶段、种子和扫描成员与所属的运行一起显示</translation>
    </message>
    <message>
        <source>Tries</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Show the short generate runs of the Try it page</source>
        <translation>显示“试用”页面的短小生成运行</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>只看差异</translation>
    </message>
    <message>
        <source>Show only what differs from the pinned baseline</source>
        <translation>只显示与所固定基线的差异</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Unpin the baseline</source>
        <translation>取消固定基线</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>New from this…</source>
        <translation>以此新建…</translation>
    </message>
    <message>
        <source>Unpin baseline</source>
        <translation>取消固定基线</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>固定为基线</translation>
    </message>
    <message>
        <source>Stop and discard</source>
        <translation>停止并丢弃</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Copy run ID</source>
        <translation>复制运行 ID</translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>按 %1</translation>
    </message>
    <message>
        <source>Put the selected runs side by side</source>
        <translation>并排比较所选的运行</translation>
    </message>
    <message>
        <source>Finish the step, save a checkpoint and stop</source>
        <translation>完成当前步，保存检查点后停止</translation>
    </message>
    <message>
        <source>Go on from the last checkpoint</source>
        <translation>从最近的检查点继续</translation>
    </message>
    <message>
        <source>Delete the selected runs; can be undone for 8 seconds</source>
        <translation>删除所选的运行；8 秒内可以撤销</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>Pin a baseline first: right-click a run</source>
        <translation>请先固定基线：右键点击一个运行</translation>
    </message>
    <message>
        <source>No run matches the filter.</source>
        <translation>没有运行符合筛选条件。</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Every experiment you start appears here, with its progress, cost and results.</source>
        <translation>你启动的每个实验都会出现在这里，并显示进度、成本和结果。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Queue &amp; runs</source>
        <translation>队列与运行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s) shown of %1</source>
        <translation>
            <numerusform>显示 %Ln 个运行，共 %1 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>已选 %1 个</translation>
    </message>
</context>
<context>
    <name>assay::pages::SamplesTab</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Texts that the run generates appear here while it runs.</source>
        <translation>运行过程中生成的文本显示在这里。</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>样本</translation>
    </message>
</context>
<context>
    <name>assay::pages::SensitivityView</name>
    <message>
        <source>Cost at other prices</source>
        <translation>其他价格下的成本</translation>
    </message>
    <message>
        <source>Hours that are paid for and not used cost as much as those that are.</source>
        <translation>付了钱而没有使用的小时，与使用了的小时花费相同。</translation>
    </message>
    <message>
        <source>price −20 %</source>
        <translation>价格 −20 %</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>按计划</translation>
    </message>
    <message>
        <source>price +20 %</source>
        <translation>价格 +20 %</translation>
    </message>
    <message>
        <source>%1 of the hours used</source>
        <translation>小时利用率 %1</translation>
    </message>
</context>
<context>
    <name>assay::pages::SettingsCard</name>
    <message>
        <source>How the data is read</source>
        <translation>数据的读取方式</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> 个 token</translation>
    </message>
    <message>
        <source>Tokens of one training sequence; the context of the model is the most it can be.</source>
        <translation>一条训练序列的 token 数；最大为模型的上下文。</translation>
    </message>
    <message>
        <source>Packing</source>
        <translation>打包</translation>
    </message>
    <message>
        <source>None: one row a sequence</source>
        <translation>不打包：一行一条序列</translation>
    </message>
    <message>
        <source>Concatenate</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>Best fit</source>
        <translation>最佳适配</translation>
    </message>
    <message>
        <source>How rows share sequences. Documents never see one another.</source>
        <translation>各行如何共用序列。文档之间互不可见。</translation>
    </message>
    <message>
        <source>Longer rows</source>
        <translation>过长的行</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>What happens to rows with more tokens than a sequence holds.</source>
        <translation>token 数超过序列长度的行如何处理。</translation>
    </message>
    <message>
        <source>Loss on</source>
        <translation>损失计入</translation>
    </message>
    <message>
        <source>All tokens</source>
        <translation>所有 token</translation>
    </message>
    <message>
        <source>Answers only</source>
        <translation>仅回答</translation>
    </message>
    <message>
        <source>Completions only</source>
        <translation>仅补全</translation>
    </message>
    <message>
        <source>Which tokens the model learns to write; the others are read only.</source>
        <translation>模型学习写出哪些 token；其余只供读取。</translation>
    </message>
    <message>
        <source>One row is</source>
        <translation>一行是</translation>
    </message>
    <message>
        <source>A line</source>
        <translation>文本的一行</translation>
    </message>
    <message>
        <source>A paragraph</source>
        <translation>一个段落</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>整个文件</translation>
    </message>
    <message>
        <source>What counts as one document of a text file.</source>
        <translation>文本文件中什么算作一个文档。</translation>
    </message>
    <message>
        <source>A file or folder…</source>
        <translation>文件或文件夹…</translation>
    </message>
</context>
<context>
    <name>assay::pages::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Back to defaults</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Language of the system</source>
        <translation>系统语言</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Bytes in powers of ten (1 GB = 1,000,000,000 bytes), tokens per second, US dollars.</source>
        <translation>字节按十进制计（1 GB = 1,000,000,000 字节），速度为 tokens/s，货币为美元。</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>Used for new experiments and where a run names no price. Runs keep the price they were started with.</source>
        <translation>用于新建实验，以及运行没有写明价格时。运行保持启动时的价格。</translation>
    </message>
    <message>
        <source>Price of a machine hour</source>
        <translation>机器每小时价格</translation>
    </message>
    <message>
        <source>USD per hour</source>
        <translation>USD/小时</translation>
    </message>
    <message>
        <source>Typical: 0.05 to 0.20 for a small server, 1 to 4 for one GPU.</source>
        <translation>常见：小型服务器 0.05 到 0.20，单 GPU 1 到 4。</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>电价</translation>
    </message>
    <message>
        <source>USD per kWh</source>
        <translation>USD/kWh</translation>
    </message>
    <message>
        <source>Typical: 0.10 to 0.40. Used where energy is measured.</source>
        <translation>常见：0.10 到 0.40。用于测量了能耗的运行。</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Folder of reports</source>
        <translation>报告文件夹</translation>
    </message>
    <message>
        <source>Reports and exports</source>
        <translation>报告与导出</translation>
    </message>
    <message>
        <source>What is kept</source>
        <translation>保留的内容</translation>
    </message>
    <message>
        <source>Runs, their curves, logs and results are kept until you delete the run on the Queue &amp; runs page. Checkpoints are kept as the experiment says (train.checkpoint.keep). Nothing leaves this machine.</source>
        <translation>运行及其曲线、日志和结果会一直保留，直到你在“队列与运行”页面删除该运行。检查点按实验的设置保留（train.checkpoint.keep）。任何内容都不会离开本机。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
</context>
<context>
    <name>assay::pages::StartCard</name>
    <message>
        <source>Open a dataset</source>
        <translation>打开数据集</translation>
    </message>
    <message>
        <source>Recent datasets</source>
        <translation>最近的数据集</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Drop text, JSONL, CSV, Parquet or Arrow files here to see their rows, their problems, and the tokens a model would get, before anything is trained.</source>
        <translation>把文本、JSONL、CSV、Parquet 或 Arrow 文件拖到这里，在训练之前查看行、问题以及模型将得到的 token。</translation>
    </message>
    <message>
        <source>In the Hugging Face cache</source>
        <translation>Hugging Face 缓存中的数据集</translation>
    </message>
</context>
<context>
    <name>assay::pages::SweepDialog</name>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>Every combination of these values becomes a run. A range includes both ends.</source>
        <translation>这些取值的每个组合都成为一个运行。范围包含两端。</translation>
    </message>
    <message>
        <source>Add a key</source>
        <translation>添加键</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>1, 2, 3 gives error bars</source>
        <translation>1, 2, 3 可得到误差线</translation>
    </message>
    <message>
        <source>Resulting YAML</source>
        <translation>生成的 YAML</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Linear range</source>
        <translation>线性范围</translation>
    </message>
    <message>
        <source>Logarithmic range</source>
        <translation>对数范围</translation>
    </message>
    <message>
        <source>How values are given</source>
        <translation>取值的给出方式</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Number of values</source>
        <translation>取值个数</translation>
    </message>
    <message>
        <source>Take this key out</source>
        <translation>去掉这个键</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 个运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个运行</translation>
    </message>
    <message>
        <source>The file compares these variants, the first is the baseline: %1. What each sets stands in the file.</source>
        <translation>文件比较以下变体，第一个为基线：%1。各变体的设置见文件。</translation>
    </message>
</context>
<context>
    <name>assay::pages::TryPage</name>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>no second model</source>
        <translation>无第二个模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Second model</source>
        <translation>第二个模型</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Write the text the model goes on with</source>
        <translation>写下要让模型续写的文本</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>Most tokens to generate</source>
        <translation>最多生成的 token 数</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 takes the most likely token each time</source>
        <translation>0 表示每次取最可能的 token</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Logit 数</translation>
    </message>
    <message>
        <source>How many of the largest logits after the prompt are listed</source>
        <translation>列出提示之后最大的几个 logit</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Earlier prompts</source>
        <translation>以前的提示</translation>
    </message>
    <message>
        <source>What you try is kept here, and as runs tagged try-it.</source>
        <translation>你试过的内容保存在这里，也保存为带 try-it 标签的运行。</translation>
    </message>
    <message>
        <source>Puts the prompt into the chat template of the model, as one message of the user; a model without a template refuses</source>
        <translation>把提示作为一条用户消息放入模型的聊天模板；没有模板的模型会拒绝</translation>
    </message>
</context>
<context>
    <name>assay::pages::ViewCard</name>
    <message>
        <source>The model&apos;s view</source>
        <translation>模型所见</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Previous sequence</source>
        <translation>上一条序列</translation>
    </message>
    <message>
        <source>Next sequence</source>
        <translation>下一条序列</translation>
    </message>
    <message>
        <source>Tokens of the sequence</source>
        <translation>序列的 token</translation>
    </message>
    <message>
        <source>carries loss</source>
        <translation>计入损失</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>仅读取</translation>
    </message>
    <message>
        <source>control token</source>
        <translation>控制 token</translation>
    </message>
    <message>
        <source>The sequence cannot be shown.</source>
        <translation>无法显示该序列。</translation>
    </message>
    <message>
        <source>Tokenizing…</source>
        <translation>正在分词…</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>%1 carry loss (%2)</source>
        <translation>%1 计入损失（%2）</translation>
    </message>
    <message>
        <source>of line %1</source>
        <translation>来自第 %1 行</translation>
    </message>
    <message numerus="yes">
        <source>%n documents, lines %1 to %2, apart from one another</source>
        <translation>
            <numerusform>%n 个文档，第 %1 到 %2 行，彼此隔开</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n documents, apart from one another</source>
        <translation>
            <numerusform>%n 个文档，彼此隔开</numerusform>
        </translation>
    </message>
    <message>
        <source>of the first rows of a large file</source>
        <translation>取自大文件开头的行</translation>
    </message>
    <message>
        <source>the first 16,000 are shown</source>
        <translation>显示前 16,000 个</translation>
    </message>
</context>
<context>
    <name>assay::presenters::BenchmarkPresenter</name>
    <message>
        <source>Decode, tokens/s</source>
        <translation>解码，tokens/s</translation>
    </message>
    <message>
        <source>Prefill, tokens/s</source>
        <translation>预填充，tokens/s</translation>
    </message>
    <message>
        <source>Time to first token, ms</source>
        <translation>首个 token 延迟，ms</translation>
    </message>
    <message>
        <source>Time per output token, ms</source>
        <translation>每个输出 token 的延迟，ms</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>请选择模型。</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示 token 数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: give at least one number</source>
        <translation>%1：请至少给出一个数字</translation>
    </message>
    <message>
        <source>Give at least one repeat.</source>
        <translation>请至少重复一次。</translation>
    </message>
    <message>
        <source>It is being started.</source>
        <translation>正在启动。</translation>
    </message>
    <message>
        <source>The engine is not connected.</source>
        <translation>尚未连接引擎。</translation>
    </message>
    <message>
        <source>The benchmark cannot be started</source>
        <translation>无法启动基准测试</translation>
    </message>
    <message>
        <source>The benchmark cannot be stopped</source>
        <translation>无法停止基准测试</translation>
    </message>
    <message numerus="yes">
        <source>median of %n repeat(s), ± one standard deviation</source>
        <translation>
            <numerusform>%n 次重复的中位数，± 一个标准差</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>set-ups measured in turn</source>
        <translation>各方案轮流测量</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批大小 %1</translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>深度 %1</translation>
    </message>
    <message>
        <source>%1 generated tokens</source>
        <translation>%1 个生成 token</translation>
    </message>
    <message>
        <source>percentiles need %1 repeats or more</source>
        <translation>百分位数需要重复 %1 次以上</translation>
    </message>
    <message>
        <source>%1 prompt tokens</source>
        <translation>%1 个提示 token</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
</context>
<context>
    <name>assay::presenters::BlobUpload</name>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 是空文件。</translation>
    </message>
    <message>
        <source>Choose a file with at least one row.</source>
        <translation>请选择至少有一行的文件。</translation>
    </message>
    <message>
        <source>The upload was cancelled.</source>
        <translation>上传已取消。</translation>
    </message>
</context>
<context>
    <name>assay::presenters::ComparePresenter</name>
    <message>
        <source>There is nothing to report yet.</source>
        <translation>还没有可写入报告的内容。</translation>
    </message>
    <message>
        <source>Choose runs that measured a set-up.</source>
        <translation>请选择测量过方案的运行。</translation>
    </message>
    <message>
        <source>The runs cannot be listed</source>
        <translation>无法列出运行</translation>
    </message>
    <message>
        <source>not separable</source>
        <translation>无法区分</translation>
    </message>
    <message>
        <source>cheapest at target</source>
        <translation>达标且最便宜</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>不可比</translation>
    </message>
    <message>
        <source>dominated</source>
        <translation>被支配</translation>
    </message>
    <message numerus="yes">
        <source>%n set-up(s)</source>
        <translation>
            <numerusform>%n 个方案</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1 倍</translation>
    </message>
    <message>
        <source>bits per byte</source>
        <translation>比特/字节</translation>
    </message>
    <message>
        <source>costs in accuracy</source>
        <translation>精度代价</translation>
    </message>
    <message>
        <source>No price is known, so size stands for cost. It does not depend on price or utilisation.</source>
        <translation>价格未知，因此以大小代表成本。它与价格和利用率无关。</translation>
    </message>
    <message>
        <source>The cheapest then costs %1 to %2.</source>
        <translation>最便宜的方案成本为 %1 到 %2。</translation>
    </message>
    <message>
        <source>The order of the first %1 changes at %2.</source>
        <translation>前 %1 名的次序在 %2 时改变。</translation>
    </message>
    <message>
        <source>At ±20 % price and 30, 60 or 90 % utilisation the order of the first %1 does not change.</source>
        <translation>价格 ±20 %、利用率 30、60 或 90 % 时，前 %1 名的次序不变。</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 prompt and %2 generated tokens</source>
        <translation>%1 个提示 token 和 %2 个生成 token</translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s), taken in turn</source>
        <translation>
            <numerusform>%n 次重复，轮流进行</numerusform>
        </translation>
    </message>
    <message>
        <source>price %1 an hour (assumed)</source>
        <translation>价格每小时 %1（假定）</translation>
    </message>
    <message>
        <source>prices differ between the runs</source>
        <translation>各运行的价格不同</translation>
    </message>
    <message>
        <source>no price given</source>
        <translation>未给出价格</translation>
    </message>
    <message>
        <source>%1 tokens of text</source>
        <translation>%1 个文本 token</translation>
    </message>
    <message>
        <source>%1 tokens of %2</source>
        <translation>%1 个 token，来自 %2</translation>
    </message>
    <message>
        <source>No set-up meets the target</source>
        <translation>没有方案达到目标</translation>
    </message>
    <message>
        <source>No answer yet</source>
        <translation>还没有答案</translation>
    </message>
    <message>
        <source>windows of %1 tokens</source>
        <translation>窗口 %1 个 token</translation>
    </message>
    <message>
        <source>mode %1</source>
        <translation>模式 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>held-out loss</source>
        <translation>验证损失</translation>
    </message>
</context>
<context>
    <name>assay::presenters::DataPresenter</name>
    <message>
        <source>No dataset is open.</source>
        <translation>没有打开数据集。</translation>
    </message>
    <message>
        <source>The file is being read.</source>
        <translation>正在读取文件。</translation>
    </message>
    <message>
        <source>No engine is connected.</source>
        <translation>没有连接引擎。</translation>
    </message>
    <message>
        <source>No row can be used: see the problems.</source>
        <translation>没有可用的行：请查看问题。</translation>
    </message>
    <message>
        <source>The data cannot be prepared</source>
        <translation>无法准备数据</translation>
    </message>
    <message>
        <source>Measuring was cancelled.</source>
        <translation>测量已取消。</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>One token a byte; 256 tokens and control tokens.</source>
        <translation>每字节一个 token；256 个 token 加控制 token。</translation>
    </message>
    <message>
        <source>Reading the file was cancelled.</source>
        <translation>读取文件已取消。</translation>
    </message>
    <message>
        <source>Press “Read again” to look at it.</source>
        <translation>点击“重新读取”来查看它。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>mixed formats</source>
        <translation>格式混杂</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>lines %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>uploaded</source>
        <translation>已上传</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>name and configuration of a dataset</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>split and size of a dataset</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>a column named %1</source>
        <translation>名为 %1 的列</translation>
    </message>
    <message>
        <source>columns named %1</source>
        <translation>名为 %1 的列</translation>
    </message>
    <message>
        <source>most rows are of the shape %1</source>
        <translation>大多数行的结构是 %1</translation>
    </message>
    <message>
        <source>the only column</source>
        <translation>唯一的列</translation>
    </message>
    <message>
        <source>the only column with text</source>
        <translation>唯一含文本的列</translation>
    </message>
    <message>
        <source>the column with the longest texts</source>
        <translation>文本最长的列</translation>
    </message>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging Face 文件夹</translation>
    </message>
</context>
<context>
    <name>assay::presenters::EnginesPresenter</name>
    <message>
        <source>Write an address, e.g. ssh://gpu-box.</source>
        <translation>请填写地址，例如 ssh://gpu-box。</translation>
    </message>
    <message>
        <source>This machine&apos;s engine is in the list already.</source>
        <translation>本机的引擎已在列表中。</translation>
    </message>
    <message>
        <source>The engine cannot be added</source>
        <translation>无法添加引擎</translation>
    </message>
    <message>
        <source>%1 was forgotten</source>
        <translation>已忘记 %1</translation>
    </message>
    <message>
        <source>Its runs are not touched.</source>
        <translation>它的运行不受影响。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>The window cannot be attached</source>
        <translation>窗口无法连接</translation>
    </message>
    <message>
        <source>Assay %1 answers; protocol level %2</source>
        <translation>Assay %1 有响应；协议级别 %2</translation>
    </message>
    <message>
        <source>The engine cannot be stopped</source>
        <translation>无法停止引擎</translation>
    </message>
</context>
<context>
    <name>assay::presenters::ExperimentPresenter</name>
    <message>
        <source>The experiment that you are writing</source>
        <translation>你正在编写的实验</translation>
    </message>
    <message>
        <source>%1 could not be saved</source>
        <translation>无法保存 %1</translation>
    </message>
    <message>
        <source>Train a small GPT</source>
        <translation>训练小型 GPT</translation>
    </message>
    <message>
        <source>A new model on your text, then its accuracy.</source>
        <translation>用你的文本训练新模型，再测它的精度。</translation>
    </message>
    <message>
        <source>Fine-tune a model</source>
        <translation>微调模型</translation>
    </message>
    <message>
        <source>LoRA adapters for a model that exists.</source>
        <translation>为现有模型训练 LoRA 适配器。</translation>
    </message>
    <message>
        <source>Quantize and benchmark a model</source>
        <translation>量化模型并做基准测试</translation>
    </message>
    <message>
        <source>Smaller copies of a model: how much faster, how much worse.</source>
        <translation>模型的更小副本：快多少，差多少。</translation>
    </message>
    <message>
        <source>Benchmark only</source>
        <translation>只做基准测试</translation>
    </message>
    <message>
        <source>Speed and memory of a model as it is.</source>
        <translation>测量模型原样的速度和内存。</translation>
    </message>
    <message>
        <source>No engine is connected.</source>
        <translation>没有连接引擎。</translation>
    </message>
    <message>
        <source>The text is being read.</source>
        <translation>正在读取文本。</translation>
    </message>
    <message>
        <source>The experiment could not be checked</source>
        <translation>无法检查实验</translation>
    </message>
    <message>
        <source>%1 is not a key of the file.</source>
        <translation>%1 不是文件中的键。</translation>
    </message>
    <message>
        <source>The sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>assay::presenters::HomePresenter</name>
    <message>
        <source>The demo cannot be started</source>
        <translation>无法启动演示</translation>
    </message>
    <message>
        <source>The run cannot be stopped</source>
        <translation>无法停止运行</translation>
    </message>
</context>
<context>
    <name>assay::presenters::LatestComparison</name>
    <message>
        <source>%1 against the baseline: %2 %3, %4 %5</source>
        <translation>%1 与基线相比：%2 %3，%4 %5</translation>
    </message>
</context>
<context>
    <name>assay::presenters::MachineWatch</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>nothing runs</source>
        <translation>没有运行</translation>
    </message>
    <message>
        <source>%1 running, %2 waiting</source>
        <translation>%1 个进行中，%2 个等待</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 个进行中</translation>
    </message>
</context>
<context>
    <name>assay::presenters::PalettePresenter</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Run, %1, %2</source>
        <translation>运行，%1，%2</translation>
    </message>
</context>
<context>
    <name>assay::presenters::RunPresenter</name>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>predicted now</source>
        <translation>当前预测</translation>
    </message>
    <message>
        <source>predicted before the run</source>
        <translation>运行前预测</translation>
    </message>
    <message>
        <source>no prediction: %1</source>
        <translation>没有预测：%1</translation>
    </message>
    <message>
        <source>%1 of %2 tokens carry loss</source>
        <translation>%2 个 token 中有 %1 个计入损失</translation>
    </message>
    <message>
        <source>%1 of positions are padding</source>
        <translation>%1 的位置是填充</translation>
    </message>
    <message>
        <source>%1 rows: %2</source>
        <translation>%1 行：%2</translation>
    </message>
    <message>
        <source>no row was dropped</source>
        <translation>没有丢弃行</translation>
    </message>
    <message>
        <source>every step was finite</source>
        <translation>每一步都是有限值</translation>
    </message>
    <message>
        <source>waited %1 of the time for data</source>
        <translation>%1 的时间在等待数据</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) after a resume</source>
        <translation>
            <numerusform>恢复后共 %n 段会话</numerusform>
        </translation>
    </message>
    <message>
        <source>part of</source>
        <translation>属于</translation>
    </message>
    <message>
        <source>fork of</source>
        <translation>派生自</translation>
    </message>
    <message>
        <source>after</source>
        <translation>接续于</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>artifact</source>
        <translation>产物</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>resumed at %1</source>
        <translation>于 %1 恢复</translation>
    </message>
    <message>
        <source>%1 elapsed</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>目前 %1</translation>
    </message>
    <message>
        <source>cost %1</source>
        <translation>花费 %1</translation>
    </message>
    <message>
        <source>Nothing was logged yet.</source>
        <translation>尚未记录任何内容。</translation>
    </message>
    <message>
        <source>The engine is not connected.</source>
        <translation>尚未连接引擎。</translation>
    </message>
    <message>
        <source>The run is not active.</source>
        <translation>该运行不在进行中。</translation>
    </message>
    <message>
        <source>Stop the run first.</source>
        <translation>请先停止该运行。</translation>
    </message>
    <message>
        <source>The folder is on the engine&apos;s machine.</source>
        <translation>该文件夹在引擎所在的机器上。</translation>
    </message>
    <message>
        <source>The folder is not known yet.</source>
        <translation>文件夹位置尚不清楚。</translation>
    </message>
    <message>
        <source>The run could not be stopped</source>
        <translation>无法停止该运行</translation>
    </message>
    <message>
        <source>The run could not be resumed</source>
        <translation>无法恢复该运行</translation>
    </message>
    <message>
        <source>The run could not be deleted</source>
        <translation>无法删除该运行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) were dropped</source>
        <translation>
            <numerusform>丢弃了 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s) were skipped: loss or gradient was not finite</source>
        <translation>
            <numerusform>跳过了 %Ln 步：损失或梯度不是有限值</numerusform>
        </translation>
    </message>
    <message>
        <source>Only interrupted, stopped and failed runs can be resumed.</source>
        <translation>只能继续被中断、已停止或失败的运行。</translation>
    </message>
    <message>
        <source>%1. What to do: %2.</source>
        <translation>%1。处理办法：%2。</translation>
    </message>
    <message>
        <source>check of</source>
        <translation>验证对象</translation>
    </message>
    <message>
        <source>checked by</source>
        <translation>由此验证</translation>
    </message>
    <message>
        <source>Time to finish</source>
        <translation>完成时间</translation>
    </message>
    <message>
        <source>Cost to finish</source>
        <translation>完成成本</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>The first difference is at step %1 in %2, element %3: recorded %4, now %5.</source>
        <translation>第一处差异在第 %1 步的 %2，元素 %3：记录为 %4，现在是 %5。</translation>
    </message>
    <message>
        <source>The first difference is at step %1 in %2: recorded %3, now %4.</source>
        <translation>第一处差异在第 %1 步的 %2：记录为 %3，现在是 %4。</translation>
    </message>
    <message>
        <source>Being checked</source>
        <translation>正在验证</translation>
    </message>
    <message>
        <source>Could not be checked</source>
        <translation>无法验证</translation>
    </message>
    <message>
        <source>What to do: %1</source>
        <translation>怎么办：%1</translation>
    </message>
    <message>
        <source>Equal bit by bit</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>Steps %1 to %2 were done again from a checkpoint: %3 recorded numbers and %4 tensors are the same.</source>
        <translation>从检查点重做了第 %1 步到第 %2 步：%3 个记录的数值和 %4 个张量都相同。</translation>
    </message>
    <message>
        <source>Not equal</source>
        <translation>不相同</translation>
    </message>
    <message>
        <source>Steps %1 to %2 were done again with another result.</source>
        <translation>重做第 %1 步到第 %2 步，结果不同。</translation>
    </message>
    <message>
        <source>Other circumstances: %1</source>
        <translation>条件不同：%1</translation>
    </message>
    <message>
        <source>Only a run with one training can be checked.</source>
        <translation>只有含一次训练的运行才能验证。</translation>
    </message>
    <message>
        <source>Wait for its end, or stop it first.</source>
        <translation>请等它结束，或先停止它。</translation>
    </message>
    <message>
        <source>The check is being started.</source>
        <translation>正在启动验证。</translation>
    </message>
    <message>
        <source>It is being checked.</source>
        <translation>正在验证中。</translation>
    </message>
    <message>
        <source>It has no checkpoint to start from.</source>
        <translation>没有可作为起点的检查点。</translation>
    </message>
    <message>
        <source>The check could not be started</source>
        <translation>无法启动验证</translation>
    </message>
</context>
<context>
    <name>assay::presenters::RunsPresenter</name>
    <message>
        <source>Select the runs to stop.</source>
        <translation>请选择要停止的运行。</translation>
    </message>
    <message>
        <source>None of the selected runs is active.</source>
        <translation>所选的运行都不在进行中。</translation>
    </message>
    <message>
        <source>Select the runs to resume.</source>
        <translation>请选择要恢复的运行。</translation>
    </message>
    <message>
        <source>Select the runs to delete.</source>
        <translation>请选择要删除的运行。</translation>
    </message>
    <message>
        <source>Active runs must be stopped first.</source>
        <translation>进行中的运行必须先停止。</translation>
    </message>
    <message>
        <source>Select at least two runs to compare.</source>
        <translation>请至少选择两个运行来比较。</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Resuming</source>
        <translation>恢复</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted</source>
        <translation>
            <numerusform>已删除 %n 个运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n active run(s) were kept: stop them first.</source>
        <translation>
            <numerusform>保留了 %n 个进行中的运行：请先停止它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Deleting</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Only interrupted, stopped and failed runs can be resumed.</source>
        <translation>只能继续被中断、已停止或失败的运行。</translation>
    </message>
</context>
<context>
    <name>assay::presenters::Settings</name>
    <message>
        <source>The settings could not be read and were set aside as %1; defaults apply.</source>
        <translation>无法读取设置，已将其另存为 %1；现在使用默认值。</translation>
    </message>
</context>
<context>
    <name>assay::presenters::SettingsPresenter</name>
    <message>
        <source>Write a number from 0 to 1,000,000, e.g. 0.08.</source>
        <translation>请填写 0 到 1,000,000 之间的数字，例如 0.08。</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>Runs, checkpoints and results</source>
        <translation>运行、检查点和结果</translation>
    </message>
    <message>
        <source>Downloaded models and texts</source>
        <translation>下载的模型和文本</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings are back to their defaults</source>
        <translation>设置已恢复默认值</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>assay::presenters::TryPresenter</name>
    <message>
        <source>The engine is not connected.</source>
        <translation>尚未连接引擎。</translation>
    </message>
    <message>
        <source>A try is running. Stop it first.</source>
        <translation>正在试用。请先停止它。</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>请选择模型。</translation>
    </message>
    <message>
        <source>Write a prompt.</source>
        <translation>请填写提示。</translation>
    </message>
    <message>
        <source>Choose another second model: the same one answers the same.</source>
        <translation>请另选第二个模型：同一个模型的回答相同。</translation>
    </message>
    <message>
        <source>The try cannot be stopped</source>
        <translation>无法停止试用</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Both wrote the same text.</source>
        <translation>两者写出的文本相同。</translation>
    </message>
    <message>
        <source>The outputs differ.</source>
        <translation>输出不同。</translation>
    </message>
    <message>
        <source>The outputs differ from the first token on.</source>
        <translation>输出从首个 token 起就不同。</translation>
    </message>
    <message numerus="yes">
        <source>The first %n token(s) are the same, then the outputs differ.</source>
        <translation>
            <numerusform>前 %n 个 token 相同，之后输出不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
</context>
<context>
    <name>assay::shell::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Command, page or run</source>
        <translation>命令、页面或运行</translation>
    </message>
    <message>
        <source>Type a command, a page or the name of a run</source>
        <translation>输入命令、页面或运行的名称</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>匹配项</translation>
    </message>
    <message>
        <source>Searching runs…</source>
        <translation>正在搜索运行…</translation>
    </message>
    <message>
        <source>Nothing has this name</source>
        <translation>没有叫这个名称的内容</translation>
    </message>
</context>
<context>
    <name>assay::shell::LinkBanner</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>assay::shell::MainWindow</name>
    <message>
        <source>Settings were reset</source>
        <translation>设置已重置</translation>
    </message>
    <message>
        <source>There is no page “%1”</source>
        <translation>没有页面“%1”</translation>
    </message>
    <message numerus="yes">
        <source>Assay cannot open %n file(s)</source>
        <translation>
            <numerusform>Assay 无法打开 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Datasets are text, JSONL or CSV; experiments are .yaml; models are .gguf or a folder with config.json.</source>
        <translation>数据集是文本、JSONL 或 CSV；实验是 .yaml；模型是 .gguf 或含有 config.json 的文件夹。</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>From data to comparison, top to bottom. Ctrl+1 to Ctrl+9 open them.</source>
        <translation>从上到下，从数据到比较。用 Ctrl+1 到 Ctrl+9 打开。</translation>
    </message>
    <message>
        <source>Start here</source>
        <translation>从这里开始</translation>
    </message>
    <message>
        <source>Run the demo: it trains a small model, makes cheaper versions of it and measures what they save and lose.</source>
        <translation>运行演示：它训练一个小模型，制作更便宜的版本，并测量它们节省和损失了什么。</translation>
    </message>
    <message>
        <source>Everything by name</source>
        <translation>按名称找到一切</translation>
    </message>
    <message>
        <source>Ctrl+K finds every command, page and run.</source>
        <translation>Ctrl+K 可找到每个命令、页面和运行。</translation>
    </message>
    <message>
        <source>Runs go on without the window</source>
        <translation>没有窗口，运行也会继续</translation>
    </message>
    <message>
        <source>An engine in the background works on the queue. Its state, and that of its machine, stands here.</source>
        <translation>后台的引擎处理队列。它和所在机器的状态显示在这里。</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Commands, pages and runs</source>
        <translation>命令、页面和运行</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Export what this page shows</source>
        <translation>导出此页显示的内容</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>显示或隐藏检查器</translation>
    </message>
    <message>
        <source>Show or hide the names of pages</source>
        <translation>显示或隐藏页面名称</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Theme of the desktop</source>
        <translation>跟随桌面主题</translation>
    </message>
    <message>
        <source>Language: English or 简体中文</source>
        <translation>语言：English 或简体中文</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Connect to the engine again</source>
        <translation>重新连接引擎</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>About Assay</source>
        <translation>关于 Assay</translation>
    </message>
    <message>
        <source>Close the window; runs go on</source>
        <translation>关闭窗口；运行会继续</translation>
    </message>
</context>
<context>
    <name>assay::shell::NavRail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Show names of pages</source>
        <translation>显示页面名称</translation>
    </message>
    <message>
        <source>Hide names of pages</source>
        <translation>隐藏页面名称</translation>
    </message>
</context>
<context>
    <name>assay::shell::NoticeList</name>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n times</source>
        <translation>
            <numerusform>%1，%n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing has happened yet that you need to know.</source>
        <translation>还没有需要你知道的事情。</translation>
    </message>
</context>
<context>
    <name>assay::shell::NoticeView</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>assay::shell::PageHost</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation>关闭检查器</translation>
    </message>
    <message>
        <source>Close (Ctrl+I shows it again)</source>
        <translation>关闭（Ctrl+I 可再次显示）</translation>
    </message>
</context>
<context>
    <name>assay::shell::StatusBar</name>
    <message>
        <source>State of the engine</source>
        <translation>引擎的状态</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Language: English or 简体中文</source>
        <translation>语言：English 或简体中文</translation>
    </message>
    <message>
        <source>Ctrl K  commands</source>
        <translation>Ctrl K  命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Every action, page and run by name</source>
        <translation>按名称找到每个操作、页面和运行</translation>
    </message>
    <message>
        <source>Open the Engines page</source>
        <translation>打开“引擎”页面</translation>
    </message>
    <message>
        <source>Open the queue</source>
        <translation>打开队列</translation>
    </message>
    <message>
        <source>Memory used on the engine&apos;s machine</source>
        <translation>引擎所在机器的已用内存</translation>
    </message>
    <message>
        <source>The store takes %1</source>
        <translation>存储占用 %1</translation>
    </message>
    <message numerus="yes">
        <source>Notices, %n new</source>
        <translation>
            <numerusform>通知，%n 条新通知</numerusform>
        </translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通知</translation>
    </message>
</context>
<context>
    <name>assay::shell::Tour</name>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Skip the tour</source>
        <translation>跳过导览</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
</context>
<context>
    <name>assay::widgets::BarPlot</name>
    <message>
        <source>Bars</source>
        <translation>柱形</translation>
    </message>
</context>
<context>
    <name>assay::widgets::ErrorPanel</name>
    <message>
        <source>Technical details</source>
        <translation>技术细节</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
</context>
<context>
    <name>assay::widgets::KeyValueList</name>
    <message>
        <source>%1: %2</source>
        <extracomment>Name and value of a fact, as a screen reader says it</extracomment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>assay::widgets::LinePlot</name>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
</context>
<context>
    <name>assay::widgets::LogView</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Search the log (Enter: next, Shift+Enter: previous)</source>
        <translation>搜索日志（Enter：下一个，Shift+Enter：上一个）</translation>
    </message>
</context>
<context>
    <name>assay::widgets::Meter</name>
    <message>
        <source>Shares</source>
        <translation>占比</translation>
    </message>
</context>
<context>
    <name>assay::widgets::ParallelPlot</name>
    <message>
        <source>Parallel axes</source>
        <translation>平行坐标</translation>
    </message>
</context>
<context>
    <name>assay::widgets::ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>assay::widgets::RemoteDialog</name>
    <message>
        <source>Folder above</source>
        <translation>上级文件夹</translation>
    </message>
    <message>
        <source>Folder above (Alt+Up)</source>
        <translation>上级文件夹（Alt+Up）</translation>
    </message>
    <message>
        <source>Path on the engine&apos;s machine</source>
        <translation>引擎所在机器上的路径</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read again (F5)</source>
        <translation>重新读取（F5）</translation>
    </message>
    <message>
        <source>Folders on the way</source>
        <translation>沿途的文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation>文件和文件夹</translation>
    </message>
    <message>
        <source>Show hidden files</source>
        <translation>显示隐藏文件</translation>
    </message>
    <message>
        <source>Ctrl+H</source>
        <translation>Ctrl+H</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The folder could not be read.</source>
        <translation>无法读取该文件夹。</translation>
    </message>
    <message>
        <source>Only hidden files here.</source>
        <translation>这里只有隐藏文件。</translation>
    </message>
    <message>
        <source>This folder is empty.</source>
        <translation>此文件夹为空。</translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n 个隐藏</numerusform>
        </translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>Choose this folder</source>
        <translation>选择此文件夹</translation>
    </message>
    <message>
        <source>Choose “%1”</source>
        <translation>选择“%1”</translation>
    </message>
</context>
<context>
    <name>assay::widgets::ScatterPlot</name>
    <message>
        <source>Cost against accuracy</source>
        <translation>成本与精度</translation>
    </message>
</context>
<context>
    <name>assay::widgets::TableView</name>
    <message>
        <source>Fit widths</source>
        <translation>适合列宽</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
</context>
<context>
    <name>assay::widgets::TokenView</name>
    <message>
        <source>Tokens</source>
        <translation>token 数</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens, %1 carry loss</source>
        <translation>
            <numerusform>%n 个 token，%1 计入损失</numerusform>
        </translation>
    </message>
    <message>
        <source>Token %1 at position %2</source>
        <translation>token %1，位置 %2</translation>
    </message>
    <message>
        <source>Bytes: %1</source>
        <translation>字节：%1</translation>
    </message>
    <message>
        <source>Control token</source>
        <translation>控制 token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>carries loss</source>
        <translation>计入损失</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>仅读取</translation>
    </message>
    <message>
        <source>A new document begins here</source>
        <translation>新文档从这里开始</translation>
    </message>
</context>
<context>
    <name>assay::widgets::YamlEditor</name>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
</context>
<context>
    <name>charts</name>
    <message>
        <source>Nothing measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message numerus="yes">
        <source>Histogram of %n bin(s)</source>
        <translation>
            <numerusform>%n 个区间的直方图</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of bars</source>
        <translation>
            <numerusform>%n 组柱形</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) ≤ 0 left out on the logarithmic axis</source>
        <translation>
            <numerusform>对数轴上略去 %n 个 ≤ 0 的值</numerusform>
        </translation>
    </message>
    <message>
        <source>smoothing %1 over the sampled points</source>
        <translation>在采样点上平滑 %1</translation>
    </message>
    <message>
        <source>smoothing %1</source>
        <translation>平滑 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n 条曲线</numerusform>
        </translation>
    </message>
    <message>
        <source>no finite value</source>
        <translation>没有有限值</translation>
    </message>
    <message>
        <source>last %1 at %2</source>
        <translation>末值 %1，位于 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>%n 个非有限值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>还没有可显示的内容</translation>
    </message>
    <message>
        <source>Every value is ≤ 0, which a logarithmic axis cannot show</source>
        <translation>所有值都 ≤ 0，对数轴无法显示</translation>
    </message>
    <message numerus="yes">
        <source>No finite value: all %n are NaN or infinite</source>
        <translation>
            <numerusform>没有有限值：全部 %n 个都是 NaN 或无穷</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>还没有可比较的内容</translation>
    </message>
    <message>
        <source>less is better</source>
        <translation>越低越好</translation>
    </message>
    <message>
        <source>more is better</source>
        <translation>越高越好</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 条线</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inside the brushes</source>
        <translation>
            <numerusform>%n 条在选区内</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n set-up(s) without a cost and an accuracy that could be drawn</source>
        <translation>
            <numerusform>%n 个方案没有可绘制的成本和精度</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n set-up(s)</source>
        <translation>
            <numerusform>%n 个方案</numerusform>
        </translation>
    </message>
    <message>
        <source>the answer</source>
        <translation>答案</translation>
    </message>
</context>
<context>
    <name>filter</name>
    <message>
        <source>a key, such as status or eval/loss</source>
        <translation>键，例如 status 或 eval/loss</translation>
    </message>
    <message>
        <source>a comparison: = != &lt; &lt;= &gt; &gt;= or ~ (contains)</source>
        <translation>比较符：= != &lt; &lt;= &gt; &gt;= 或 ~（包含）</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>&quot;and&quot;, &quot;or&quot; or the end</source>
        <translation>“and”、“or”或结尾</translation>
    </message>
    <message>
        <source>the quote is not closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>Expected %1 instead of “%2” at character %3.</source>
        <translation>第 %3 个字符处应为%1，而不是“%2”。</translation>
    </message>
    <message>
        <source>Expected %1 at the end.</source>
        <translation>结尾处应有%1。</translation>
    </message>
    <message>
        <source>Expected “)” at the end.</source>
        <translation>结尾处应有“)”。</translation>
    </message>
</context>
<context>
    <name>format</name>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>%1 分钟前</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨天 %1</translation>
    </message>
</context>
<context>
    <name>metric</name>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Training throughput</source>
        <translation>训练吞吐量</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Held-out loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Held-out perplexity</source>
        <translation>验证困惑度</translation>
    </message>
    <message>
        <source>Process memory</source>
        <translation>进程内存</translation>
    </message>
    <message>
        <source>Peak tensor memory</source>
        <translation>峰值张量内存</translation>
    </message>
    <message>
        <source>Peak GPU memory</source>
        <translation>峰值显存</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Waiting for data</source>
        <translation>等待数据</translation>
    </message>
    <message>
        <source>Steps done</source>
        <translation>已完成步数</translation>
    </message>
    <message>
        <source>Steps in all</source>
        <translation>总步数</translation>
    </message>
    <message>
        <source>Tokens trained on</source>
        <translation>训练过的 token 数</translation>
    </message>
    <message>
        <source>Tokens with loss</source>
        <translation>计损失的 token 数</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>Steps left out</source>
        <translation>跳过的步数</translation>
    </message>
    <message>
        <source>Speed of the matrix products against fp32</source>
        <translation>矩阵乘法相对 fp32 的速度</translation>
    </message>
    <message>
        <source>Standard error of the held-out perplexity</source>
        <translation>验证困惑度的标准误</translation>
    </message>
    <message>
        <source>Held-out bits per byte</source>
        <translation>验证每字节比特数</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档数</translation>
    </message>
    <message>
        <source>Rows left out</source>
        <translation>略去的行数</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Time to prepare the data</source>
        <translation>准备数据的时间</translation>
    </message>
    <message>
        <source>Preparing speed</source>
        <translation>准备速度</translation>
    </message>
    <message>
        <source>Held-out documents</source>
        <translation>验证文档数</translation>
    </message>
    <message>
        <source>Held-out tokens</source>
        <translation>验证 token 数</translation>
    </message>
    <message>
        <source>Held-out text</source>
        <translation>验证文本</translation>
    </message>
    <message>
        <source>Loss of a bigram model</source>
        <translation>二元模型的损失</translation>
    </message>
    <message>
        <source>Memory of the weights</source>
        <translation>权重占用内存</translation>
    </message>
    <message>
        <source>Memory of the gradients</source>
        <translation>梯度占用内存</translation>
    </message>
    <message>
        <source>Memory of the optimizer</source>
        <translation>优化器占用内存</translation>
    </message>
    <message>
        <source>Memory of the activations</source>
        <translation>激活占用内存</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Parameters without embeddings</source>
        <translation>不含嵌入的参数量</translation>
    </message>
    <message>
        <source>Tokens generated</source>
        <translation>生成的 token 数</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>每个权重的比特数</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Standard error of the perplexity</source>
        <translation>困惑度的标准误</translation>
    </message>
    <message>
        <source>Perplexity ratio</source>
        <translation>困惑度之比</translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation>每字节比特数</translation>
    </message>
    <message>
        <source>Same top-1</source>
        <translation>首选一致率</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>Prefill, tokens/s</source>
        <translation>预填充，tokens/s</translation>
    </message>
    <message>
        <source>Decode, tokens/s</source>
        <translation>解码，tokens/s</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <extracomment>A measure of one set-up: Perplexity (int8)</extracomment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Training tokens</source>
        <translation>训练 token 数</translation>
    </message>
    <message>
        <source>Training tokens with loss</source>
        <translation>计损失的训练 token 数</translation>
    </message>
</context>
<context>
    <name>pages</name>
    <message>
        <source>Home</source>
        <translation>主页</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Queue &amp; runs</source>
        <translation>队列与运行</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
</context>
<context>
    <name>print</name>
    <message>
        <source>page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
</context>
<context>
    <name>report</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>run {} ({}) is {}: figures may be missing</source>
        <translation>运行 {}（{}）的状态是 {}：可能缺少数据</translation>
    </message>
    <message>
        <source>electricity is priced but not in the cost, because the power was not measured</source>
        <translation>给出了电价，但成本中不含电费，因为没有测量功率</translation>
    </message>
    <message>
        <source>accuracy is not comparable with the baseline: evaluated on another text</source>
        <translation>精度不能与基线比较：评估所用的文本不同</translation>
    </message>
    <message>
        <source>accuracy is not comparable with the baseline: window {} instead of {}</source>
        <translation>精度不能与基线比较：窗口是 {} 而不是 {}</translation>
    </message>
    <message>
        <source>accuracy is not comparable with the baseline: mode {} instead of {}</source>
        <translation>精度不能与基线比较：模式是 {} 而不是 {}</translation>
    </message>
    <message>
        <source>another tokenizer than the baseline&apos;s; compare by bits per byte only</source>
        <translation>分词器与基线不同；只能按每字节比特数比较</translation>
    </message>
    <message>
        <source>speed and cost were measured with {} threads, the baseline with {}</source>
        <translation>速度和成本用 {} 个线程测得，基线用 {} 个</translation>
    </message>
    <message>
        <source>speed and cost were measured with batch {}, the baseline with {}</source>
        <translation>速度和成本以批大小 {} 测得，基线为 {}</translation>
    </message>
    <message>
        <source>speed and cost were measured with other lengths than the baseline</source>
        <translation>测量速度和成本所用的长度与基线不同</translation>
    </message>
    <message>
        <source>speed and cost were measured with another machine ({}) than the baseline ({})</source>
        <translation>速度和成本在另一台机器（{}）上测得，基线在（{}）上</translation>
    </message>
    <message>
        <source>{} set-ups meet the target, but their {} was not measured</source>
        <translation>有 {} 个方案达到目标，但没有测量它们的{}</translation>
    </message>
    <message>
        <source>no set-up meets the target {}</source>
        <translation>没有方案达到目标 {}</translation>
    </message>
    <message>
        <source>the runs measured no set-up; evaluate, quantize or benchmark makes them</source>
        <translation>这些运行没有测量任何方案；评估、量化或基准测试会产生方案</translation>
    </message>
    <message>
        <source>trained with one seed: the error bars do not cover the chance of training</source>
        <translation>只用一个随机种子训练：误差条不含训练的随机性</translation>
    </message>
    <message>
        <source>trained with two seeds: the error bars do not cover the chance of training</source>
        <translation>只用两个随机种子训练：误差条不含训练的随机性</translation>
    </message>
    <message>
        <source>cheapest set-up with %1</source>
        <translation>满足 %1 的最便宜方案</translation>
    </message>
    <message>
        <source>Cost or accuracy was not measured.</source>
        <translation>未测量成本或精度。</translation>
    </message>
    <message>
        <source>lowest %1 on the frontier; no target was set</source>
        <translation>前沿上 %1 最低；未设目标</translation>
    </message>
    <message>
        <source>USD per 1M output tokens</source>
        <translation>每 1M 输出 token 的 USD</translation>
    </message>
    <message>
        <source>Price of an hour of the machine divided by the tokens it decodes in that hour, times one million. Electricity is added when its price is given and the power was measured.</source>
        <translation>机器一小时的价格除以它一小时解码的 token 数，再乘以一百万。给出电价且测量了功率时，加上电费成本。</translation>
    </message>
    <message>
        <source>USD per run</source>
        <translation>每次运行的 USD</translation>
    </message>
    <message>
        <source>Hours that the runs of the experiment took, summed over their ranks, times the price of an hour. It is what the whole experiment cost, so set-ups of one experiment share it.</source>
        <translation>实验的各运行所用小时数，对所有进程求和，再乘以每小时价格。它是整个实验的花费，因此同一实验的各方案共用这个值。</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Exponential of the mean negative log-likelihood of the scored tokens. Mode full: the text is cut into windows that do not overlap, and every token but the first of its window is scored; mode half: only the second half of each whole window.</source>
        <translation>计分 token 的平均负对数似然的指数。full 模式：文本切成互不重叠的窗口，除每个窗口的首个 token 外都计分；half 模式：只计每个完整窗口的后一半。</translation>
    </message>
    <message>
        <source>Perplexity ratio</source>
        <translation>困惑度之比</translation>
    </message>
    <message>
        <source>Perplexity divided by that of the baseline. From paired differences of the same windows where both were measured together; otherwise the two standard errors are combined as if independent. 1 means no loss.</source>
        <translation>困惑度除以基线的困惑度。两者一起测量过时，取相同窗口的配对差；否则把两个标准误按独立合并。1 表示没有损失。</translation>
    </message>
    <message>
        <source>Bits per byte</source>
        <translation>每字节比特数</translation>
    </message>
    <message>
        <source>Negative log-likelihood of the text in bits, divided by its bytes. Comparable between tokenizers.</source>
        <translation>文本的负对数似然（以比特计）除以其字节数。不同分词器之间可比。</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>Mean over tokens of the Kullback-Leibler divergence from the full-precision model&apos;s distribution to this one&apos;s. 0 for identical models.</source>
        <translation>从全精度模型的分布到此模型分布的 Kullback-Leibler 散度，对 token 取平均。相同的模型为 0。</translation>
    </message>
    <message>
        <source>Same top-1</source>
        <translation>首选一致率</translation>
    </message>
    <message>
        <source>Share of tokens for which the most probable next token is the full-precision model&apos;s.</source>
        <translation>最可能的下一个 token 与全精度模型相同的 token 所占比例。</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>Prompt tokens computed divided by the time to compute them; median of the repeats.</source>
        <translation>计算的提示 token 数除以计算所用时间；取各次重复的中位数。</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Tokens generated after the first divided by the time from the first to the last; median of the repeats.</source>
        <translation>首个之后生成的 token 数除以从首个到最后一个的时间；取各次重复的中位数。</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Real tokens (no padding) divided by the time of the training steps.</source>
        <translation>真实 token 数（不含填充）除以训练步所用时间。</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>首个 token 延迟</translation>
    </message>
    <message>
        <source>From the arrival of a request to its first token.</source>
        <translation>从请求到达到其首个 token。</translation>
    </message>
    <message>
        <source>Time per output token</source>
        <translation>每个输出 token 的延迟</translation>
    </message>
    <message>
        <source>Time from the first to the last token divided by the number of tokens after the first.</source>
        <translation>从首个到最后一个 token 的时间，除以首个之后的 token 数。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Bytes of the weights that are resident while decoding, read from the allocator.</source>
        <translation>解码时常驻的权重字节数，从分配器读取。</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Most tensor bytes alive at one time during the benchmark.</source>
        <translation>基准测试期间同时存活的张量字节数的最大值。</translation>
    </message>
    <message>
        <source>accuracy is not comparable with the baseline: the held-out loss is that of {} tokens instead of {}</source>
        <translation>精度无法与基线比较：验证损失按 {} 个 token 计算，而不是 {} 个</translation>
    </message>
    <message>
        <source>Held-out loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Mean negative log-likelihood of the labelled held-out tokens at the end of the training, in nats. Only comparable where the same tokens are labelled and the tokenizer is the same.</source>
        <translation>训练结束时，验证数据中有标签 token 的平均负对数似然，单位 nat。仅在有标签的 token 相同且分词器相同时可以比较。</translation>
    </message>
    <message>
        <source>Training step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>Time of one optimizer step with the wait for its data; median over the steps.</source>
        <translation>优化器一步的时间，包括等待数据；取各步的中位数。</translation>
    </message>
    <message>
        <source>Training memory</source>
        <translation>训练内存</translation>
    </message>
    <message>
        <source>Most tensor bytes alive at one time while training, in one process.</source>
        <translation>训练中单个进程同时存在的张量字节数的最大值。</translation>
    </message>
    <message>
        <source>Static memory</source>
        <translation>静态内存</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>Running time</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>the weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>the gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>the optimizer&apos;s state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Most of it is {}: {} instead of {}. The model or the optimizer is not the one that was planned with.</source>
        <translation>主要是 {}：{} 而不是 {}。模型或优化器与计划时的不同。</translation>
    </message>
    <message>
        <source>It follows from the weights, gradients and optimizer, which differ too.</source>
        <translation>源于权重、梯度和优化器，它们也不同。</translation>
    </message>
    <message>
        <source>The peak came in {} and not, as predicted, in {}.</source>
        <translation>峰值出现在 {}，而不是预测的 {}。</translation>
    </message>
    <message>
        <source>Activations and temporary tensors took {} instead of {}: how many positions carry a label, and whether a save was under way, is not known beforehand.</source>
        <translation>激活和临时张量占用 {} 而不是 {}：有多少位置带标签、当时是否正在保存，事先无法知道。</translation>
    </message>
    <message>
        <source>Nothing that the run recorded explains it.</source>
        <translation>运行的记录中没有能解释它的内容。</translation>
    </message>
    <message>
        <source>{} of the time was spent waiting for data.</source>
        <translation>{} 的时间用于等待数据。</translation>
    </message>
    <message>
        <source>The speed fell while it ran: something else was at work, or the machine was too hot.</source>
        <translation>运行中速度下降：有其他程序在工作，或机器过热。</translation>
    </message>
    <message>
        <source>Others were at work on the machine: the load was {} on {} cores when it began.</source>
        <translation>机器上有其他程序在工作：开始时负载为 {}，共 {} 个核心。</translation>
    </message>
    <message>
        <source>The machine was busy with something else when its speed was measured for the prediction.</source>
        <translation>为预测测量速度时，机器正忙于其他事情。</translation>
    </message>
    <message>
        <source>It was predicted from an earlier run of the same shape, which ran under other conditions.</source>
        <translation>预测来自较早的同形状运行，当时条件不同。</translation>
    </message>
    <message>
        <source>It was predicted from an earlier run of another shape, by the operations alone.</source>
        <translation>预测来自较早的另一形状的运行，只按运算量换算。</translation>
    </message>
    <message>
        <source>The machine had not been calibrated when it was predicted, so only the rates of products and of memory were known.</source>
        <translation>预测时机器还没有校准，只知道矩阵乘法和内存的速度。</translation>
    </message>
    <message>
        <source>Nothing that the run recorded explains it: compare the load of the machine with that at its calibration.</source>
        <translation>运行的记录中没有能解释它的内容：请把机器的负载与校准时比较。</translation>
    </message>
    <message>
        <source>It ended after {} of {} steps.</source>
        <translation>在第 {} 步结束，共 {} 步。</translation>
    </message>
    <message>
        <source>It follows from the time of a step.</source>
        <translation>源于每步的时间。</translation>
    </message>
    <message>
        <source>Starts after a stop: {}. Each loads the model and the data again.</source>
        <translation>停止后的启动次数：{}。每次都要重新加载模型和数据。</translation>
    </message>
    <message>
        <source>Most of it is {}: {} instead of {}.</source>
        <translation>主要是 {}：{} 而不是 {}。</translation>
    </message>
    <message>
        <source>The steps took {}; the rest is the start, evaluation and saving.</source>
        <translation>各步用了 {}；其余是启动、评估和保存。</translation>
    </message>
    <message>
        <source>It follows from the time.</source>
        <translation>源于时间。</translation>
    </message>
    <message>
        <source>The time is as predicted: the price of an hour is not that of the prediction.</source>
        <translation>时间与预测一致：每小时的价格与预测时不同。</translation>
    </message>
    <message>
        <source>preparing the data</source>
        <translation>准备数据</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>quantizing</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>benchmarking</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>generating</source>
        <translation>生成</translation>
    </message>
</context>
<context>
    <name>run</name>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>prepare data</source>
        <translation>准备数据</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>claim</source>
        <translation>论断验证</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>preparing data</source>
        <translation>准备数据</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>quantizing</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>benchmarking</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Part of</source>
        <translation>所属运行</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Fork of</source>
        <translation>派生自</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未开始</translation>
    </message>
    <message>
        <source>stopped, the rest discarded</source>
        <translation>已停止，其余丢弃</translation>
    </message>
    <message>
        <source>stopped, saved at step %1</source>
        <translation>已停止，已在第 %1 步保存</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>tokenizing</source>
        <translation>分词</translation>
    </message>
    <message>
        <source>training the tokenizer</source>
        <translation>训练分词器</translation>
    </message>
    <message>
        <source>exporting</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>generating</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>measuring accuracy</source>
        <translation>测量精度</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个 token</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>个序列</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>次测量</translation>
    </message>
    <message>
        <source>removing duplicates</source>
        <translation>去重</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>verify resuming</source>
        <translation>验证恢复</translation>
    </message>
</context>
<context>
    <name>schema</name>
    <message>
        <source>File version</source>
        <translation>文件版本</translation>
    </message>
    <message>
        <source>Version of the file format; always 1.</source>
        <translation>文件格式的版本；总是 1。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What the run is called in lists and reports.</source>
        <translation>运行在列表和报告中的名称。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>What the run does; a pipeline runs one stage for each section.</source>
        <translation>运行做什么；流水线为每一节运行一个阶段。</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Stages of a pipeline, in this order; absent: one for every section that is there.</source>
        <translation>流水线的各阶段，按此顺序；不写则每个出现的节各一个。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Start of every random choice; the same seed gives the same run.</source>
        <translation>所有随机选择的起点；种子相同，运行就相同。</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>3 – 5 seeds</source>
        <translation>3 – 5 个种子</translation>
    </message>
    <message>
        <source>One run for each seed, shown as one set-up with error bars.</source>
        <translation>每个种子一个运行，合并显示为一个带误差线的方案。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>per process</source>
        <translation>每进程</translation>
    </message>
    <message>
        <source>physical cores</source>
        <translation>物理核心数</translation>
    </message>
    <message>
        <source>CPU threads of each process; auto takes the cores it may use.</source>
        <translation>每个进程的 CPU 线程数；auto 取可用的核心数。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where it is computed; auto takes a GPU when there is one.</source>
        <translation>在哪里计算；auto 有 GPU 就用 GPU。</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Words to find the run by.</source>
        <translation>用来查找运行的词。</translation>
    </message>
    <message>
        <source>Extends</source>
        <translation>继承自</translation>
    </message>
    <message>
        <source>Another experiment file whose values apply where this one says nothing.</source>
        <translation>另一个实验文件；此文件没写的值取自它。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>What to train and evaluate on, and how text becomes tokens.</source>
        <translation>用什么训练和评估，以及文本如何变成 token。</translation>
    </message>
    <message>
        <source>Training data</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <source>The file or folder to train on; a list is a weighted mixture.</source>
        <translation>用于训练的文件或文件夹；列表表示加权混合。</translation>
    </message>
    <message>
        <source>File or folder with the texts to train on.</source>
        <translation>含有训练文本的文件或文件夹。</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Format of the training data; auto looks at the file.</source>
        <translation>训练数据的格式；auto 由文件判断。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Which column plays which role, for example {text: body}.</source>
        <translation>各列的角色，例如 {text: body}。</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Share of this source in a mixture.</source>
        <translation>此来源在混合中的占比。</translation>
    </message>
    <message>
        <source>Held-out data</source>
        <translation>验证数据</translation>
    </message>
    <message>
        <source>What the model is evaluated on and never trained on.</source>
        <translation>用来评估模型、从不用于训练的数据。</translation>
    </message>
    <message>
        <source>File or folder to evaluate on; the training file with a split takes a share of it.</source>
        <translation>用于评估的文件或文件夹；训练文件加上划分时取其中一部分。</translation>
    </message>
    <message>
        <source>Held-out share</source>
        <translation>验证占比</translation>
    </message>
    <message>
        <source>last N% takes the end of the file, hash N% takes documents by their hash; the training set leaves them out.</source>
        <translation>last N% 取文件末尾，hash N% 按哈希取文档；训练集不含这些文档。</translation>
    </message>
    <message>
        <source>Held-out format</source>
        <translation>验证数据格式</translation>
    </message>
    <message>
        <source>Format of the held-out data; auto looks at the file.</source>
        <translation>验证数据的格式；auto 由文件判断。</translation>
    </message>
    <message>
        <source>Held-out columns</source>
        <translation>验证数据列</translation>
    </message>
    <message>
        <source>Which column plays which role in the held-out data.</source>
        <translation>验证数据中各列的角色。</translation>
    </message>
    <message>
        <source>A document is</source>
        <translation>一个文档是</translation>
    </message>
    <message>
        <source>What counts as one document in a text file.</source>
        <translation>文本文件中什么算作一个文档。</translation>
    </message>
    <message>
        <source>Cleaning</source>
        <translation>清洗</translation>
    </message>
    <message>
        <source>What is removed before training.</source>
        <translation>训练前去除的内容。</translation>
    </message>
    <message>
        <source>Remove duplicates</source>
        <translation>去重</translation>
    </message>
    <message>
        <source>Removes documents that are equal, or nearly equal.</source>
        <translation>去除相同或几乎相同的文档。</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Documents that share this part of their word sequences count as nearly equal.</source>
        <translation>词序列重合达到此比例的文档视为几乎相同。</translation>
    </message>
    <message>
        <source>Shortest document</source>
        <translation>最短文档</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>Shorter documents are left out; 0 leaves none out.</source>
        <translation>更短的文档会被舍去；0 表示不舍去。</translation>
    </message>
    <message>
        <source>Longest document</source>
        <translation>最长文档</translation>
    </message>
    <message>
        <source>Longer documents are left out; 0 leaves none out.</source>
        <translation>更长的文档会被舍去；0 表示不舍去。</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Path of a tokenizer or model folder, bytes, or one to be trained on the data; absent: the model&apos;s own.</source>
        <translation>分词器或模型文件夹的路径、bytes，或在数据上训练一个；不写则用模型自带的。</translation>
    </message>
    <message>
        <source>Train a tokenizer</source>
        <translation>训练分词器</translation>
    </message>
    <message>
        <source>Kind of tokenizer that is trained on the data.</source>
        <translation>在数据上训练的分词器类型。</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个 token</translation>
    </message>
    <message>
        <source>Size of the vocabulary of the trained tokenizer.</source>
        <translation>所训练分词器的词表大小。</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>How conversations become text; auto takes the tokenizer&apos;s own.</source>
        <translation>对话如何变成文本；auto 用分词器自带的模板。</translation>
    </message>
    <message>
        <source>Learn from</source>
        <translation>学习内容</translation>
    </message>
    <message>
        <source>Which tokens count in the loss: all, the assistant&apos;s, or those after the prompt.</source>
        <translation>哪些 token 计入损失：全部、助手的，或提示之后的。</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Tokens of one training example; memory and time grow with it.</source>
        <translation>一个训练样本的 token 数；内存和时间随之增加。</translation>
    </message>
    <message>
        <source>Longer documents</source>
        <translation>过长的文档</translation>
    </message>
    <message>
        <source>What happens to documents longer than the sequence length.</source>
        <translation>超过序列长度的文档如何处理。</translation>
    </message>
    <message>
        <source>Packing</source>
        <translation>打包</translation>
    </message>
    <message>
        <source>How short documents share a sequence; they never see each other.</source>
        <translation>短文档如何共用一条序列；它们互不可见。</translation>
    </message>
    <message>
        <source>Loader threads</source>
        <translation>加载线程数</translation>
    </message>
    <message>
        <source>Threads that read and tokenize while the model trains.</source>
        <translation>模型训练时读取数据和分词的线程数。</translation>
    </message>
    <message>
        <source>Pin memory</source>
        <translation>锁页内存</translation>
    </message>
    <message>
        <source>Page-locked buffers for faster copies to a GPU.</source>
        <translation>使用锁页缓冲区，更快地复制到 GPU。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model to train, tune or measure.</source>
        <translation>要训练、微调或测量的模型。</translation>
    </message>
    <message>
        <source>A model folder, a .gguf file, asset: or run: reference, or the description of a new model.</source>
        <translation>模型文件夹、.gguf 文件、asset: 或 run: 引用，或新模型的描述。</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Architecture of the new model.</source>
        <translation>新模型的架构。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Number of blocks; auto takes the family&apos;s default.</source>
        <translation>块的数量；auto 取该系列的默认值。</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>Width of the model, a multiple of the number of heads.</source>
        <translation>模型的宽度，是注意力头数的倍数。</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Attention heads of each layer.</source>
        <translation>每层的注意力头数。</translation>
    </message>
    <message>
        <source>Key-value heads</source>
        <translation>键值头数</translation>
    </message>
    <message>
        <source>Fewer than heads: groups of heads share keys and values, and the cache is smaller.</source>
        <translation>少于注意力头数时，几个头共用键和值，缓存更小。</translation>
    </message>
    <message>
        <source>Feed-forward size</source>
        <translation>前馈维度</translation>
    </message>
    <message>
        <source>4 × hidden size</source>
        <translation>4 × 隐藏维度</translation>
    </message>
    <message>
        <source>Width of the feed-forward part of each layer.</source>
        <translation>每层前馈部分的宽度。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Longest sequence the model can read.</source>
        <translation>模型能读取的最长序列。</translation>
    </message>
    <message>
        <source>Vocabulary of the model</source>
        <translation>模型词表</translation>
    </message>
    <message>
        <source>auto takes the tokenizer&apos;s size.</source>
        <translation>auto 取分词器的大小。</translation>
    </message>
    <message>
        <source>Tie embeddings</source>
        <translation>绑定嵌入</translation>
    </message>
    <message>
        <source>Input and output embeddings are one matrix.</source>
        <translation>输入和输出嵌入是同一个矩阵。</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout（随机失活）</translation>
    </message>
    <message>
        <source>Share of activations that is dropped while training.</source>
        <translation>训练时丢弃的激活所占比例。</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家数</translation>
    </message>
    <message>
        <source>Mixture of experts (mixtral): MLPs of each layer, of which a token uses a few.</source>
        <translation>混合专家（mixtral）：每层的 MLP 数量，每个词元只使用其中几个。</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>每个词元的专家数</translation>
    </message>
    <message>
        <source>Experts of each layer that a token goes through; auto takes 2.</source>
        <translation>每个词元在每层经过的专家数；auto 取 2。</translation>
    </message>
    <message>
        <source>Load-balance loss</source>
        <translation>负载均衡损失</translation>
    </message>
    <message>
        <source>Weight of the loss that spreads tokens over the experts; the language loss is shown without it.</source>
        <translation>使词元均匀分布到各专家的损失的权重；显示的语言损失不含它。</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>What is trained: all weights, small adapters, a student of a larger model, or a sparser model.</source>
        <translation>训练什么：全部权重、小型适配器、较大模型的学生模型，或更稀疏的模型。</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Trains small matrices beside the frozen weights.</source>
        <translation>在冻结的权重旁训练小矩阵。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Rank of the adapters: larger learns more and costs more memory.</source>
        <translation>适配器的秩：越大学得越多，内存也越多。</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha 系数</translation>
    </message>
    <message>
        <source>1 – 2 × rank</source>
        <translation>1 – 2 × 秩</translation>
    </message>
    <message>
        <source>Scale of the adapters; they count alpha / rank.</source>
        <translation>适配器的缩放；按 alpha / 秩 计入。</translation>
    </message>
    <message>
        <source>Target layers</source>
        <translation>目标层</translation>
    </message>
    <message>
        <source>Layers that get an adapter.</source>
        <translation>加装适配器的层。</translation>
    </message>
    <message>
        <source>Adapter dropout</source>
        <translation>适配器 dropout</translation>
    </message>
    <message>
        <source>Dropout before the adapters.</source>
        <translation>适配器之前的 dropout。</translation>
    </message>
    <message>
        <source>QLoRA</source>
        <translation>QLoRA</translation>
    </message>
    <message>
        <source>LoRA over weights that are held in 4 bits.</source>
        <translation>在以 4 位保存的权重上做 LoRA。</translation>
    </message>
    <message>
        <source>Distill</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <source>The model learns from the outputs of a larger one.</source>
        <translation>模型从较大模型的输出中学习。</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <source>The model to learn from.</source>
        <translation>要学习的模型。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>How far the teacher&apos;s probabilities are softened.</source>
        <translation>教师模型的概率软化到什么程度。</translation>
    </message>
    <message>
        <source>Weight of the teacher</source>
        <translation>教师权重</translation>
    </message>
    <message>
        <source>Share of the teacher in the loss; the data has the rest.</source>
        <translation>教师模型在损失中的占比；其余来自数据。</translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>Sets weights to zero.</source>
        <translation>将权重置零。</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>剪枝方式</translation>
    </message>
    <message>
        <source>By what weights are chosen.</source>
        <translation>按什么选择权重。</translation>
    </message>
    <message>
        <source>Sparsity</source>
        <translation>稀疏度</translation>
    </message>
    <message>
        <source>Share of the weights that becomes zero.</source>
        <translation>变为零的权重所占比例。</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Makes smaller copies of the model.</source>
        <translation>制作模型的更小副本。</translation>
    </message>
    <message>
        <source>Schemes</source>
        <translation>量化格式</translation>
    </message>
    <message>
        <source>Number formats of the weights; each makes one set-up.</source>
        <translation>权重的数值格式；每种构成一个方案。</translation>
    </message>
    <message>
        <source>Keep in high precision</source>
        <translation>保持高精度</translation>
    </message>
    <message>
        <source>Layers by name or regular expression, or {auto: share of the weights}.</source>
        <translation>按名称或正则表达式指定的层，或 {auto: 权重占比}。</translation>
    </message>
    <message>
        <source>Share to keep</source>
        <translation>保留占比</translation>
    </message>
    <message>
        <source>Share of the weights that stays in high precision, chosen by its effect.</source>
        <translation>保持高精度的权重所占比例，按影响大小选择。</translation>
    </message>
    <message>
        <source>Calibration text</source>
        <translation>校准文本</translation>
    </message>
    <message>
        <source>Text that some schemes look at to choose their scales.</source>
        <translation>某些量化格式据以选择缩放的文本。</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>输出文件夹</translation>
    </message>
    <message>
        <source>Where the models are written; absent: with the run.</source>
        <translation>模型写到哪里；不写则与运行放在一起。</translation>
    </message>
    <message>
        <source>Key-value cache</source>
        <translation>键值缓存</translation>
    </message>
    <message>
        <source>Formats of the cache to measure.</source>
        <translation>要测量的缓存格式。</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>Measures speed and memory of generation.</source>
        <translation>测量生成的速度和内存。</translation>
    </message>
    <message>
        <source>Prompt lengths</source>
        <translation>提示长度</translation>
    </message>
    <message>
        <source>Tokens of the prompt; each length is measured.</source>
        <translation>提示的 token 数；每种长度都会测量。</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>生成数量</translation>
    </message>
    <message>
        <source>Tokens that are generated after the prompt.</source>
        <translation>在提示之后生成的 token 数。</translation>
    </message>
    <message>
        <source>Batch sizes</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>条序列</translation>
    </message>
    <message>
        <source>Sequences that are generated together.</source>
        <translation>一起生成的序列数。</translation>
    </message>
    <message>
        <source>Cache depths</source>
        <translation>缓存深度</translation>
    </message>
    <message>
        <source>Tokens that are in the cache already.</source>
        <translation>缓存中已有的 token 数。</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Measurements of which the median counts.</source>
        <translation>取中位数的测量次数。</translation>
    </message>
    <message>
        <source>Schemes measured</source>
        <translation>测量的量化格式</translation>
    </message>
    <message>
        <source>Absent: the model as it is and every quantized one.</source>
        <translation>不写则测量模型原样和每个量化模型。</translation>
    </message>
    <message>
        <source>Load test</source>
        <translation>负载测试</translation>
    </message>
    <message>
        <source>Serves requests that arrive over time.</source>
        <translation>处理随时间到达的请求。</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求数</translation>
    </message>
    <message>
        <source>How many requests are sent.</source>
        <translation>发送多少个请求。</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到达方式</translation>
    </message>
    <message>
        <source>requests/s</source>
        <translation>请求/s</translation>
    </message>
    <message>
        <source>How requests arrive: poisson, constant, gamma, closed or trace.</source>
        <translation>请求如何到达：poisson、constant、gamma、closed 或 trace。</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Tokens of prompt and answer, or a file of them.</source>
        <translation>提示和回答的 token 数，或含有它们的文件。</translation>
    </message>
    <message>
        <source>Latency targets</source>
        <translation>延迟目标</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>What a request must keep to count as served well.</source>
        <translation>请求须满足什么才算服务良好。</translation>
    </message>
    <message>
        <source>Batching</source>
        <translation>批处理</translation>
    </message>
    <message>
        <source>Whether requests join a batch that runs.</source>
        <translation>请求能否加入正在进行的批。</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Tokens of one page of the cache.</source>
        <translation>缓存一页的 token 数。</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Measures how good the model is.</source>
        <translation>测量模型有多好。</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>How well the model predicts a text.</source>
        <translation>模型预测文本的好坏。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text to predict; absent: the held-out documents of the data.</source>
        <translation>要预测的文本；不写则用数据中的验证文档。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Tokens the model sees at once; at most its context.</source>
        <translation>模型一次看到的 token 数；最大为其上下文。</translation>
    </message>
    <message>
        <source>Scored tokens</source>
        <translation>计分的 token</translation>
    </message>
    <message>
        <source>All tokens of a window, or its second half with the first as context.</source>
        <translation>窗口的全部 token，或以前一半为上下文的后一半。</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>至多</translation>
    </message>
    <message>
        <source>Only the first tokens of the text; 0 takes all.</source>
        <translation>只取文本开头的 token；0 取全部。</translation>
    </message>
    <message>
        <source>Divergence from the base</source>
        <translation>与基准模型的散度</translation>
    </message>
    <message>
        <source>How far the probabilities of a quantized model are from those of its base.</source>
        <translation>量化模型的概率与其基准模型相差多远。</translation>
    </message>
    <message>
        <source>Base model</source>
        <translation>基准模型</translation>
    </message>
    <message>
        <source>Model to compare with.</source>
        <translation>用来对照的模型。</translation>
    </message>
    <message>
        <source>Native kernels</source>
        <translation>原生内核</translation>
    </message>
    <message>
        <source>Evaluates with the scheme&apos;s own arithmetic instead of weights brought back to fp32.</source>
        <translation>用量化格式自身的算术评估，而不是把权重还原为 fp32。</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Files with multiple-choice questions.</source>
        <translation>含有选择题的文件。</translation>
    </message>
    <message>
        <source>Classification</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Accuracy on labelled texts.</source>
        <translation>在带标签文本上的准确率。</translation>
    </message>
    <message>
        <source>Labelled texts</source>
        <translation>带标签文本</translation>
    </message>
    <message>
        <source>File with texts and labels.</source>
        <translation>含有文本和标签的文件。</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>标签列</translation>
    </message>
    <message>
        <source>Column with the label.</source>
        <translation>含有标签的列。</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Writes a sample.</source>
        <translation>写出一个样本。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Text to go on from.</source>
        <translation>要续写的文本。</translation>
    </message>
    <message>
        <source>Read special tokens</source>
        <translation>识别特殊 token</translation>
    </message>
    <message>
        <source>Names of special tokens in the prompt are read as such.</source>
        <translation>提示中的特殊 token 名称按特殊 token 读取。</translation>
    </message>
    <message>
        <source>As a chat</source>
        <translation>作为对话</translation>
    </message>
    <message>
        <source>Wraps the prompt in the chat template.</source>
        <translation>用对话模板包裹提示。</translation>
    </message>
    <message>
        <source>Go past the end</source>
        <translation>越过结尾</translation>
    </message>
    <message>
        <source>Goes on when the model would stop.</source>
        <translation>模型要停止时仍然继续。</translation>
    </message>
    <message>
        <source>Longest text to write.</source>
        <translation>最多写出的长度。</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token.</source>
        <translation>0 总是取最可能的 token。</translation>
    </message>
    <message>
        <source>Top logits</source>
        <translation>保留的 logit 数</translation>
    </message>
    <message>
        <source>How many logits of the last prompt position are kept.</source>
        <translation>保留提示最后位置的多少个 logit。</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>What the machine costs.</source>
        <translation>机器的费用。</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Machine of the catalogue to plan for; auto is this one.</source>
        <translation>按目录中的哪台机器规划；auto 是本机。</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Price of the machine.</source>
        <translation>机器的价格。</translation>
    </message>
    <message>
        <source>Price of an hour</source>
        <translation>每小时价格</translation>
    </message>
    <message>
        <source>What an hour of this machine costs; absent: the catalogue&apos;s price.</source>
        <translation>这台机器每小时的价格；不写则用目录中的价格。</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>电力</translation>
    </message>
    <message>
        <source>Price of electricity.</source>
        <translation>电力价格。</translation>
    </message>
    <message>
        <source>Price of a kWh</source>
        <translation>每 kWh 价格</translation>
    </message>
    <message>
        <source>What a kilowatt-hour costs.</source>
        <translation>每千瓦时的价格。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Results of earlier runs that are used instead of made again.</source>
        <translation>直接使用而不重新生成的以往运行结果。</translation>
    </message>
    <message>
        <source>Prepared data</source>
        <translation>已准备的数据</translation>
    </message>
    <message>
        <source>Folder or run with prepared data.</source>
        <translation>含有已准备数据的文件夹或运行。</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>已训练的模型</translation>
    </message>
    <message>
        <source>Model of an earlier run.</source>
        <translation>以往运行的模型。</translation>
    </message>
    <message>
        <source>Quantized set-ups</source>
        <translation>已量化的方案</translation>
    </message>
    <message>
        <source>Run that made quantized models.</source>
        <translation>生成量化模型的运行。</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Keys with the values to try; every combination becomes a run.</source>
        <translation>键及要试的取值；每个组合成为一个运行。</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>How the model is trained.</source>
        <translation>模型如何训练。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Optimizer steps; give steps or epochs.</source>
        <translation>优化器步数；给出步数或轮数。</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>How often the training data is seen; give steps or epochs.</source>
        <translation>训练数据看几遍；给出步数或轮数。</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批大小</translation>
    </message>
    <message>
        <source>Sequences of one optimizer step, over all processes.</source>
        <translation>一个优化器步的序列数，所有进程合计。</translation>
    </message>
    <message>
        <source>Micro batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>Sequences that are computed at once; smaller saves memory, the rest is accumulated.</source>
        <translation>一次计算的序列数；小则省内存，其余靠梯度累积。</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>How gradients change the weights.</source>
        <translation>梯度如何改变权重。</translation>
    </message>
    <message>
        <source>Algorithm that changes the weights.</source>
        <translation>改变权重的算法。</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Size of a step after the warm-up: too large diverges, too small learns slowly.</source>
        <translation>预热之后的步长：太大会发散，太小学得慢。</translation>
    </message>
    <message>
        <source>Betas</source>
        <translation>Beta 系数</translation>
    </message>
    <message>
        <source>Decay of the running means of gradient and squared gradient.</source>
        <translation>梯度和梯度平方的滑动平均的衰减。</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon 常数</translation>
    </message>
    <message>
        <source>Keeps the division by small squared gradients finite.</source>
        <translation>使除以很小的梯度平方时仍为有限值。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Pulls weights to zero, apart from the gradient.</source>
        <translation>在梯度之外把权重拉向零。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>How the learning rate goes over the run.</source>
        <translation>学习率在运行中如何变化。</translation>
    </message>
    <message>
        <source>Shape of the learning rate after the warm-up.</source>
        <translation>预热之后学习率的形状。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>1 – 5 % of the steps</source>
        <translation>步数的 1 – 5 %</translation>
    </message>
    <message>
        <source>Steps over which the learning rate rises from zero.</source>
        <translation>学习率从零上升所用的步数。</translation>
    </message>
    <message>
        <source>Final learning rate</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>a tenth of the learning rate</source>
        <translation>学习率的十分之一</translation>
    </message>
    <message>
        <source>Where the schedule ends.</source>
        <translation>调度结束时的值。</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>裁剪范数</translation>
    </message>
    <message>
        <source>Gradients longer than this are shortened; 0 turns it off.</source>
        <translation>超过此长度的梯度会被缩短；0 表示关闭。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>数值精度</translation>
    </message>
    <message>
        <source>Number format of the computation; amp keeps the weights in fp32.</source>
        <translation>计算的数值格式；amp 以 fp32 保存权重。</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>Format of the matrix products.</source>
        <translation>矩阵乘法的格式。</translation>
    </message>
    <message>
        <source>Loss scaling</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Keeps small gradients of fp16 from becoming zero.</source>
        <translation>防止 fp16 的小梯度变为零。</translation>
    </message>
    <message>
        <source>First loss scale</source>
        <translation>初始损失缩放</translation>
    </message>
    <message>
        <source>What the loss is multiplied by at first.</source>
        <translation>开始时损失乘以多少。</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长系数</translation>
    </message>
    <message>
        <source>Factor after many good steps.</source>
        <translation>连续多个正常步之后的系数。</translation>
    </message>
    <message>
        <source>Back-off</source>
        <translation>回退系数</translation>
    </message>
    <message>
        <source>Factor after a step that overflowed.</source>
        <translation>溢出一步之后的系数。</translation>
    </message>
    <message>
        <source>Growth interval</source>
        <translation>增长间隔</translation>
    </message>
    <message>
        <source>Good steps before the scale grows.</source>
        <translation>缩放增长之前的正常步数。</translation>
    </message>
    <message>
        <source>Activation checkpointing</source>
        <translation>激活重算</translation>
    </message>
    <message>
        <source>Computes activations again in the backward pass: less memory, about a third more time.</source>
        <translation>在反向传播中重新计算激活：内存更少，时间约多三分之一。</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>重算间隔</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>So many layers together keep only what goes into the first of them.</source>
        <translation>每这么多层为一组，只保留该组第一层的输入。</translation>
    </message>
    <message>
        <source>When the loss is not finite</source>
        <translation>损失非有限时</translation>
    </message>
    <message>
        <source>Stop early</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Ends the run when a metric no longer falls.</source>
        <translation>指标不再下降时结束运行。</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>What must fall.</source>
        <translation>哪个指标必须下降。</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>耐心</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>次评估</translation>
    </message>
    <message>
        <source>Evaluations without a new minimum before the run ends.</source>
        <translation>结束运行之前没有新低的评估次数。</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>When the state is saved.</source>
        <translation>何时保存状态。</translation>
    </message>
    <message>
        <source>Checkpoints kept</source>
        <translation>保留的检查点</translation>
    </message>
    <message>
        <source>Older ones are deleted.</source>
        <translation>更早的会被删除。</translation>
    </message>
    <message>
        <source>Save in the background</source>
        <translation>后台保存</translation>
    </message>
    <message>
        <source>Training goes on while a checkpoint is written.</source>
        <translation>写检查点时训练继续。</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>评估间隔</translation>
    </message>
    <message>
        <source>0 evaluates at the end only.</source>
        <translation>0 表示只在结束时评估。</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>How the work is split over processes.</source>
        <translation>工作如何分给各进程。</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>个进程</translation>
    </message>
    <message>
        <source>Processes that hold the whole model and share the batch.</source>
        <translation>各持有整个模型、共同分担一批的进程数。</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 级别</translation>
    </message>
    <message>
        <source>What the data-parallel processes share: 1 optimizer state, 2 gradients too, 3 weights too.</source>
        <translation>数据并行进程共享的内容：1 优化器状态，2 还有梯度，3 还有权重。</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Processes that share each matrix.</source>
        <translation>共同分担每个矩阵的进程数。</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Splits the activations between tensor-parallel processes too.</source>
        <translation>激活也在张量并行进程之间切分。</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>流水线级数</translation>
    </message>
    <message>
        <source>Processes that hold consecutive layers.</source>
        <translation>持有连续若干层的进程数。</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>流水线调度</translation>
    </message>
    <message>
        <source>Order of micro-batches in the pipeline.</source>
        <translation>微批在流水线中的次序。</translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>Processes that share the experts of a mixture model.</source>
        <translation>共同分担混合专家模型中各专家的进程数。</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Processes that share each sequence.</source>
        <translation>共同分担每条序列的进程数。</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>What starts the processes; {ssh: [hosts]} uses other machines.</source>
        <translation>用什么启动进程；{ssh: [hosts]} 使用其他机器。</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Machines that take part.</source>
        <translation>参与的机器。</translation>
    </message>
    <message>
        <source>Saves the state after every so many steps, so that a run that is cut off loses no more than those. 0: at the end only.</source>
        <translation>每隔这么多步保存一次状态，运行被切断时最多损失这些步。0：只在结束时保存。</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Share of the last step that the next one keeps; for sgd.</source>
        <translation>下一步保留上一步的比例；用于 sgd。</translation>
    </message>
    <message>
        <source>Nesterov momentum</source>
        <translation>Nesterov 动量</translation>
    </message>
    <message>
        <source>Looks one step ahead along the momentum; for sgd.</source>
        <translation>沿动量方向预看一步；用于 sgd。</translation>
    </message>
    <message>
        <source>Update of bf16 weights</source>
        <translation>bf16 权重的更新方式</translation>
    </message>
    <message>
        <source>master keeps an fp32 copy of the weights; stochastic rounds at random and needs none.</source>
        <translation>master 保留一份 fp32 权重副本；stochastic 随机舍入，不需要副本。</translation>
    </message>
    <message>
        <source>Average of the weights</source>
        <translation>权重的平均</translation>
    </message>
    <message>
        <source>Keeps a running average of the weights, which is evaluated and saved as well.</source>
        <translation>保留权重的滑动平均，它也会被评估和保存。</translation>
    </message>
    <message>
        <source>Decay of the average</source>
        <translation>平均的衰减</translation>
    </message>
    <message>
        <source>Share of the average that a step keeps; it rises to this value over the first steps.</source>
        <translation>每一步保留平均值的比例；在最初的若干步中升到这个值。</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Only documents of these languages stay, and those too short to tell; none named: all stay.</source>
        <translation>只保留这些语言的文档，以及太短而无法判断的文档；不指定则全部保留。</translation>
    </message>
    <message>
        <source>Documents of the held-out file</source>
        <translation>验证文件中的文档</translation>
    </message>
    <message>
        <source>Training documents that equal one of a separate held-out file: remove leaves them out, keep only counts them.</source>
        <translation>与单独的验证文件中某个文档相同的训练文档：remove 将其去除，keep 只计数。</translation>
    </message>
    <message>
        <source>Held-out loss on</source>
        <translation>验证损失计入</translation>
    </message>
    <message>
        <source>Which tokens count in the held-out loss; absent: those that are learned from.</source>
        <translation>哪些 token 计入验证损失；不写：用于学习的 token。</translation>
    </message>
    <message>
        <source>Runs several variants of the experiment.</source>
        <translation>运行实验的多个变体。</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Names with the keys that each sets otherwise; the first is the baseline that the others are compared with.</source>
        <translation>各变体的名称及其不同的设置；第一个是基线，其余与它比较。</translation>
    </message>
    <message>
        <source>Verify resuming</source>
        <translation>验证恢复</translation>
    </message>
    <message>
        <source>Does some steps of a train run again from a checkpoint and compares them bit by bit.</source>
        <translation>从检查点重做训练运行的若干步，并逐位比较。</translation>
    </message>
    <message>
        <source>Train run</source>
        <translation>训练运行</translation>
    </message>
    <message>
        <source>The run whose steps are done again.</source>
        <translation>要重做其步骤的运行。</translation>
    </message>
    <message>
        <source>Steps to do again</source>
        <translation>重做的步数</translation>
    </message>
    <message>
        <source>0 goes on to the next checkpoint.</source>
        <translation>0 表示做到下一个检查点。</translation>
    </message>
    <message>
        <source>Stops, leaves the step out, or goes back to the last good checkpoint and lowers the learning rate.</source>
        <translation>停止、跳过这一步，或回到最近的完好检查点并降低学习率。</translation>
    </message>
    <message>
        <source>Steps left out in a row</source>
        <translation>连续跳过的步数</translation>
    </message>
    <message>
        <source>The run stops when more steps than these in a row are not finite; 10 unless stated.</source>
        <translation>连续出现非有限值的步数超过此数时运行停止；未写明时为 10。</translation>
    </message>
    <message>
        <source>Factor of the rate after a rollback</source>
        <translation>回退后的学习率系数</translation>
    </message>
    <message>
        <source>The learning rate is multiplied by it each time the run goes back; 0.5 unless stated.</source>
        <translation>每次回退时学习率乘以此数；未写明时为 0.5。</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Texts that the model writes while it is trained, to look at.</source>
        <translation>模型在训练期间写出的文本，供查看。</translation>
    </message>
    <message>
        <source>Sample every</source>
        <translation>生成样本间隔</translation>
    </message>
    <message>
        <source>Writes the texts after every so many steps, and at the end.</source>
        <translation>每隔这么多步以及结束时写出文本。</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Texts to go on from, one text each.</source>
        <translation>要续写的提示，每条写出一段文本。</translation>
    </message>
    <message>
        <source>Longest sample</source>
        <translation>样本最大长度</translation>
    </message>
    <message>
        <source>Most tokens of one text; always the likeliest next one.</source>
        <translation>一段文本的最多 token 数；总是取最可能的下一个。</translation>
    </message>
</context>
</TS>
