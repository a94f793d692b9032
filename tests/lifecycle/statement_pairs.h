// Pairs of memories, sorted by people's judgement: those that say nearly the same, so that the
// second should not be written beside the first, and those that only look alike.
#pragma once

namespace memfs::testing {

struct StatementText {
  const char* title = "";
  const char* description = "";
  const char* body = "";
};

struct StatementPair {
  StatementText a, b;
};

inline constexpr StatementPair kSamePairs[] = {
    // English titles: case, signs, markup, blanks.
    {{"Release branch policy"}, {"release branch policy"}},
    {{"Release branch policy"}, {"Release-branch policy."}},
    {{"Release  branch   policy"}, {"**Release branch policy**"}},
    {{"Use tabs, not spaces"}, {"use tabs not spaces!"}},
    {{"Where is the deploy script?"}, {"Where is the deploy script"}},
    {{"`make deploy` needs a VPN"}, {"make deploy needs a VPN"}},
    {{"Git: commit message style"}, {"Commit message style (git)"}},
    // Inflection, articles, contractions, spelling.
    {{"The release branch"}, {"Release branches"}},
    {{"Database backup schedule"}, {"Database backups schedule"}},
    {{"Running the integration tests"}, {"Run the integration test"}},
    {{"Don't force push to main"}, {"Do not force-push to main"}},
    {{"We can't use Docker here"}, {"We cannot use docker here"}},
    {{"Production database credentials"}, {"Production databse credentials"}},
    {{"Kubernetes cluster upgrade"}, {"Kubernets cluster upgrade"}},
    {{"Authentication token lifetime"}, {"Authentication token liftime"}},
    {{"Always run the linter before pushing"}, {"Run the linter before pushing"}},
    {{"Please run the linter before you push"}, {"Run linter before push"}},
    {{"Our staging server is called heron"}, {"The staging server is called heron"}},
    {{"Deployment"}, {"deployments"}},
    {{"Café menu and résumé template"}, {"Cafe menu and resume template"}},
    {{"Python 3.12 is required"}, {"python 3.12 is required."}},
    {{"Port 8080 is taken by the proxy"}, {"Port 8080 is taken by proxy"}},
    {{"How to rotate the signing keys of the update server every spring"},
     {"How to rotate signing keys of the public update server every spring"}},
    {{"C++ naming conventions"}, {"C++ Naming Conventions"}},
    {{"2024-05-01 incident review"}, {"Incident review 2024-05-01"}},
    // The same description under another title.
    {{"Releases", "How release branches are cut and who may do it", ""},
     {"Branching model", "How release branches are cut, and who may do it.", ""}},
    {{"Linting", "Run the linter before every push to main", "See dev script."},
     {"Style checks", "Run the linter before every push to main", "Use ./dev lint."}},
    // The same body under another title.
    {{"Branches", "", "Releases are cut from release/7.x by the team lead.\n"},
     {"Release process", "", "Releases are cut from `release/7.x` by the team lead."}},
    {{"Tabs", "", "- Use tabs for indentation\n- Never trim trailing spaces\n"},
     {"Indentation", "", "* use tabs for indentation\n* never trim trailing spaces"}},
    {{"Build", "",
      "To build the project run make all in the top folder. The result lies in build/out and is "
      "copied to the artifact server by the nightly job. Ask Dana if the job fails."},
     {"Building", "",
      "To build the project, run `make all` in the top folder.\nThe result lies in build/out, and "
      "is copied to the artifact server by the nightly job. Please ask Dana if the job fails."}},
    {{"Cache", "",
      "The cache server forgets everything at midnight because the cleaning job restarts it. "
      "Warm it up by hand before the morning demo, or the first page takes a minute to load."},
     {"Cold cache in the morning", "",
      "The cache server forgets everything at midnight, because the cleaning job restarts it. Warm "
      "it up by hand before the morning demo or the first page takes a full minute to load."}},
    {{"Logs", "",
      "Logs of the payment service are in the bucket pay-logs, kept for 90 days. Older ones must "
      "be requested from the archive team with a ticket that names the day and the reason."},
     {"Where logs are", "",
      "Logs of the payment service are in the bucket pay-logs, kept for 90 days. Older ones must "
      "be requested from the archive team with a ticket which names the day and the reason."}},
    {{"Meeting notes", "", "We agreed on the new logo."},
     {"Meeting notes", "", "Budget for the next year was cut by the board."}},
    {{"API", "", "Use REST."}, {"api", "", "use rest"}},
    {{"TODO", "", "Buy milk"}, {"TODO", "", "Buy milk\n\n"}},
    // German.
    {{"Datenbank wird nachts gesichert"}, {"Die Datenbank wird nachts gesichert."}},
    {{"Größe der Anhänge"}, {"GRÖSSE DER ANHÄNGE"}},
    {{"Passwörter niemals im Klartext speichern"}, {"Passwörter niemals im Klartext speichern!"}},
    {{"Zugangsdaten für den Testserver"}, {"Zugangsdatem für den Testserver"}},
    {{"Wir müssen vor jedem Commit die Tests ausführen"}, {"Vor jedem Commit die Tests ausführen"}},
    {{"Urlaub", "", "Urlaub wird im Portal beantragt und vom Teamleiter genehmigt.\n"},
     {"Urlaubsantrag", "", "Urlaub wird im Portal beantragt, und vom Teamleiter genehmigt."}},
    // Chinese.
    {{"发布分支策略"}, {"发布分支策略。"}},
    {{"发布分支的策略"}, {"发布分支策略"}},
    {{"数据库备份时间"}, {"【数据库备份时间】"}},
    {{"请在提交之前运行全部测试"}, {"在提交之前运行全部测试"}},
    {{"使用ＵＴＦ－８编码保存文件"}, {"使用UTF-8编码保存文件"}},
    {{"部署", "", "部署之前必须通知运维团队，并在群里确认。"},
     {"上线流程", "", "部署之前必须通知运维团队,并在群里确认"}},
    {{"日志", "",
      "支付服务的日志保存在对象存储里，保留九十天。更早的日志需要向归档团队提交申请，说明日期和原因"
      "。"},
     {"日志位置", "",
      "支付服务的日志保存在对象存储里，保留九十天。更早的日志需要向归档团队提交申请，并说明日期和原"
      "因"
      "。"}},
    // Japanese.
    {{"リリースブランチの運用"}, {"リリースブランチ運用"}},
    {{"本番環境のデータベース接続先"}, {"本番環境のデータベース接続先。"}},
    {{"テストは必ず実行する"}, {"テストは、必ず実行する"}},
    {{"ﾃﾞｰﾀﾍﾞｰｽのバックアップ"}, {"データベースのバックアップ"}},
    {{"会議", "", "毎週月曜日の朝十時に定例会議を行います。"},
     {"定例会議", "", "毎週月曜日の朝十時に、定例会議を行います"}},
    // Thai.
    {{"วิธีสำรองข้อมูลฐานข้อมูล"}, {"วิธีสำรองข้อมูลฐานข้อมูล!"}},
    {{"รหัสผ่านของเซิร์ฟเวอร์ทดสอบ"}, {"รหัสผ่านของ เซิร์ฟเวอร์ทดสอบ"}},
    {{"ห้ามลบไฟล์บันทึกการทำงาน"}, {"“ห้ามลบไฟล์บันทึกการทำงาน”"}},
    {{"ประชุม", "", "ทีมของเราประชุมกันทุกวันจันทร์ตอนเช้าที่ห้องใหญ่"},
     {"การประชุม", "", "ทีมของเราประชุมกันทุกวันจันทร์ตอนเช้าที่ห้องใหญ่\n"}},
    // Russian.
    {{"Резервное копирование базы данных"}, {"резервное копирование базы данных."}},
    {{"Ключи подписи релизов"}, {"Ключ подписи релиза"}},
    {{"Всегда запускать тесты перед отправкой"}, {"Запускать тесты перед отправкой"}},
    {{"Ещё один способ сборки"}, {"Еще один способ сборки"}},
    {{"Пароль от тестового сервера"}, {"Пароль от тестового сервра"}},
    {{"Отпуск", "", "Отпуск согласуется с руководителем за две недели до начала."},
     {"Отпуска", "", "Отпуск согласуется с руководителем за две недели до начала"}},
    // Arabic.
    {{"نسخة احتياطية من قاعدة البيانات"}, {"نسخة احتياطية من قاعدة البيانات."}},
    {{"سياسة فرع الإصدار"}, {"سياسة فرع الإصدار!"}},
    {{"كَلِمَةُ مُرُورِ الخَادِم"}, {"كلمة مرور الخادم"}},
    {{"اجتماع", "", "يعقد الفريق اجتماعه كل يوم أحد في القاعة الكبيرة."},
     {"الاجتماع", "", "يعقد الفريق اجتماعه كل يوم أحد في القاعة الكبيرة"}},
    // Korean.
    {{"릴리스 브랜치 정책"}, {"릴리스 브랜치 정책."}},
    // Written after the rules.
    {{"User prefers concise answers"}, {"The user prefers concise answers."}},
    {{"User prefers dark mode in the editor"}, {"user prefers dark-mode in the editor"}},
    {{"Staging database was moved to heron"}, {"The staging database has moved to heron"}},
    {{"How we cut releases"}, {"How to cut releases"}},
    {{"The API rate limit is 100 requests per minute"},
     {"API rate limit: 100 requests per minute"}},
    {{"Commits follow the Conventional Commits format"},
     {"Commits must follow Conventional Commits format"}},
    {{"Docker image registry credentials"}, {"Docker images registry credential"}},
    {{"CI fails when the disk is full"}, {"CI fails when disk is full"}},
    {{"Integration tests need a running Redis"}, {"Integration tests need running Redis"}},
    {{"Never commit secrets"}, {"Never commit secrets!"}},
    {{"Frontend lives in apps/web"}, {"The frontend lives in `apps/web`"}},
    {{"Jeden Freitag keine Deployments"}, {"Jeden Freitag keine Deployments."}},
    {{"Der Build braucht Java 17"}, {"Build braucht Java 17"}},
    {{"提交信息使用英文书写"}, {"提交信息要使用英文书写"}},
    {{"テスト環境のURLはheronです"}, {"テスト環境のURLはheron"}},
    {{"Сборка требует Java 17"}, {"сборка требует java 17"}},
    {{"Preferences", "", "The user likes short answers without greetings and without summaries."},
     {"Style of answers", "", "User likes short answers without greetings, and without summaries"}},
};

inline constexpr StatementPair kOtherPairs[] = {
    // Numbers, versions, dates, names of things.
    {{"fact 1"}, {"fact 2"}},
    {{"Memory 17 of the load test"}, {"Memory 18 of the load test"}},
    {{"Upgrade to Python 3.11"}, {"Upgrade to Python 3.12"}},
    {{"Release 7.1 checklist"}, {"Release 7.10 checklist"}},
    {{"Incident review 2024-05-01"}, {"Incident review 2024-05-02"}},
    {{"Port 8080 is taken by the proxy"}, {"Port 8081 is taken by the proxy"}},
    {{"Sprint 12 retrospective"}, {"Sprint retrospective"}},
    {{"Three replicas of the message queue"}, {"Five replicas of the message queue"}},
    {{"The limit of uploads is -5 degrees"}, {"The limit of uploads is 5 degrees"}},
    {{"C style guide"}, {"C++ style guide"}},
    {{"C++ style guide"}, {"C# style guide"}},
    {{"C naming conventions for files"}, {"C# naming conventions for files"}},
    {{"max_connections must be set in the server configuration"},
     {"max_clients must be set in the server configuration"}},
    {{"read_file returns the whole text of the file"},
     {"readFile returns the whole text of the file"}},
    {{"Owner of src/auth/login.cc"}, {"Owner of src/auth/logout.cc"}},
    {{"Access to eu-west-1 is limited"}, {"Access to eu-west-2 is limited"}},
    // One word that matters.
    {{"Deploy to staging"}, {"Deploy to production"}},
    {{"How to deploy the web application to staging with the script"},
     {"How to deploy the web application to production with the script"}},
    {{"Run unit tests before pushing to the main branch"},
     {"Run integration tests before pushing to the main branch"}},
    {{"Alice reviews database changes"}, {"Bob reviews database changes"}},
    {{"Upload limits of the file server"}, {"Unload limits of the file server"}},
    {{"Release branch"}, {"Release notes"}},
    {{"Database password"}, {"Database backup password"}},
    {{"Backup"}, {"Backlog"}},
    {{"Test data"}, {"Data test"}},
    {{"Editor settings"}, {"Editor setup"}},
    {{"Coffee machine"}, {"Washing machine"}},
    {{"Monday meeting of the design team"}, {"Friday meeting of the design team"}},
    // Negation and opposites.
    {{"Never use tabs"}, {"Always use tabs"}},
    {{"Use tabs in makefiles"}, {"Do not use tabs in makefiles"}},
    {{"We support Windows in the installer of the desktop client"},
     {"We don't support Windows in the installer of the desktop client"}},
    {{"Deploy with downtime"}, {"Deploy without downtime"}},
    {{"Enable the cache for anonymous visitors of the public site"},
     {"Disable the cache for anonymous visitors of the public site"}},
    {{"Run migrations before the deploy"}, {"Run migrations after the deploy"}},
    {{"Tests must pass on main"}, {"Tests may fail on main"}},
    // Order that matters.
    {{"Migrate from MySQL to Postgres"}, {"Migrate from Postgres to MySQL"}},
    {{"Service A depends on service B"}, {"Service B depends on service A"}},
    {{"Copy map 80 to 8080"}, {"Copy map 8080 to 80"}},
    // Bodies.
    {{"Indent", "", "Use tabs for indentation."}, {"Style", "", "Use spaces for indentation."}},
    {{"Retention", "", "Logs are kept for 30 days and then deleted by the nightly job."},
     {"Keeping", "", "Logs are kept for 90 days and then deleted by the nightly job."}},
    {{"Push", "", "You may push to main when all checks of the pipeline are green."},
     {"Main", "", "You may not push to main when all checks of the pipeline are green."}},
    {{"Deploy A", "",
      "To deploy run the script in the tools folder and watch the dashboard of the staging cluster "
      "for ten minutes. If errors appear, roll back at once and tell the team."},
     {"Deploy B", "",
      "To deploy run the script in the tools folder and watch the dashboard of the production "
      "cluster for ten minutes. If errors appear, roll back at once and tell the team."}},
    {{"Check", "", "The build fails if x != 0 in the final report of the tool."},
     {"Check 2", "", "The build fails if x == 0 in the final report of the tool."}},
    {{"Yes", "", "ok"}, {"No", "", "ok"}},
    {{"Menu", "", "Soup on Monday."}, {"Plan", "", "Soup on Tuesday."}},
    {{"Onboarding", "", "New people get a laptop, a badge and a mentor in the first week."},
     {"Offboarding", "", "People who leave return the laptop and the badge in the last week."}},
    {{"Alpha", "Notes", "one"}, {"Beta", "Notes", "two"}},
    {{"Billing", "Owner and contact of the service", "Dana"},
     {"Search", "Owner and contact of the index", "Eli"}},
    {{"TODO", "", "Buy milk"}, {"TODO", "", "Call the bank about the loan"}},
    {{"", "", ""}, {"Something", "", "with text in it"}},
    // German.
    {{"Datenbank wird nachts gesichert"}, {"Datenbank wird mittags gesichert"}},
    {{"Tests sind nicht erforderlich"}, {"Tests sind erforderlich"}},
    {{"Keine Leerzeichen am Zeilenende verwenden"}, {"Leerzeichen am Zeilenende verwenden"}},
    {{"Von Version 3 auf Version 4 umstellen"}, {"Von Version 4 auf Version 3 umstellen"}},
    {{"Zugang zum Testserver"}, {"Zugang zum Mailserver"}},
    {{"Passwörter immer verschlüsselt speichern"}, {"Passwörter nie verschlüsselt speichern"}},
    // Chinese.
    {{"部署到测试环境"}, {"部署到生产环境"}},
    {{"发布分支策略"}, {"发布分支名称"}},
    {{"不要使用制表符缩进代码"}, {"使用制表符缩进代码"}},
    {{"日志保留三十天"}, {"日志保留九十天"}},
    {{"每周一上午召开项目例会"}, {"每周五上午召开项目例会"}},
    {{"事故"}, {"故事"}},
    {{"从甲库迁移到乙库"}, {"从乙库迁移到甲库"}},
    {{"规则一", "", "合并代码之前必须经过两名同事的审查。"},
     {"规则二", "", "合并代码之前不必经过两名同事的审查。"}},
    // Japanese.
    {{"本番環境へのデプロイ手順"}, {"検証環境へのデプロイ手順"}},
    {{"タブを使う"}, {"タブを使わない"}},
    {{"テストを実行してからコミットする"}, {"テストを実行せずにコミットする"}},
    {{"会議室の予約方法"}, {"会議室の使用方法"}},
    {{"月曜日の朝に定例会議を行います"}, {"金曜日の朝に定例会議を行います"}},
    // Thai.
    {{"ลบไฟล์บันทึกการทำงานได้"}, {"ห้ามลบไฟล์บันทึกการทำงาน"}},
    {{"ประชุมทุกวันจันทร์"}, {"ประชุมทุกวันศุกร์"}},
    {{"รหัสผ่านของเซิร์ฟเวอร์ทดสอบ"}, {"รหัสผ่านของเซิร์ฟเวอร์จริง"}},
    // Russian.
    {{"Тесты обязательны"}, {"Тесты не обязательны"}},
    {{"Переход с версии 3 на версию 4"}, {"Переход с версии 4 на версию 5"}},
    {{"Пароль от тестового сервера"}, {"Пароль от почтового сервера"}},
    {{"Запускать тесты перед отправкой"}, {"Никогда не запускать тесты перед отправкой"}},
    {{"Ключи подписи релизов"}, {"Ключи шифрования релизов"}},
    // Arabic.
    {{"كلمة مرور الخادم"}, {"كلمة مرور البريد"}},
    {{"لا تستخدم علامات الجدولة"}, {"استخدم علامات الجدولة"}},
    {{"اجتماع يوم الأحد"}, {"اجتماع يوم الخميس"}},
    {{"الإصدار 3 من الخادم"}, {"الإصدار 4 من الخادم"}},
    // Korean.
    {{"릴리스 브랜치 정책"}, {"릴리스 브랜치 이름"}},
    {{"월요일 회의 자료"}, {"금요일 회의 자료"}},
    // Written after the rules; some from manuals.
    {{"User prefers concise answers"}, {"User prefers detailed answers"}},
    {{"User prefers dark mode"}, {"User prefers light mode"}},
    {{"Staging database was moved to heron"}, {"Staging database was moved to badger"}},
    {{"Build on Linux"}, {"Build on Windows"}},
    {{"Frontend lives in apps/web"}, {"Frontend lives in apps/admin"}},
    {{"Docker image registry credentials"}, {"Docker image registry address"}},
    {{"CI fails when the disk is full"}, {"CI fails when the cache is full"}},
    {{"Owner of the billing service"}, {"Owner of the search service"}},
    {{"hugo list"}, {"hugo list all"}},
    {{"hugo gen"}, {"hugo gen man"}},
    {{"How to add syntax to a cmdlet help topic"}, {"How to add notes to a cmdlet help topic"}},
    {{"GroupByPublishDate", "Returns the given page collection grouped by publish date in order"},
     {"GroupByDate", "Returns the given page collection grouped by date in order"}},
    {{"kubeadmを使用した高可用性etcdクラスターの作成"},
     {"kubeadmを使用した高可用性クラスターの作成"}},
    {{"Timeout of the gateway is 30 s"}, {"Timeout of the gateway is 30 min"}},
    {{"Nightly job of the archive"}, {"Weekly job of the archive"}},
    {{"Der Build braucht Java 17"}, {"Der Build braucht Java 21"}},
    {{"Anmelden am Portal"}, {"Abmelden am Portal"}},
    {{"включить уведомления сервера"}, {"выключить уведомления сервера"}},
    {{"提交信息使用英文书写"}, {"提交信息使用中文书写"}},
    {{"Tabs are required"}, {"Tabs are forbidden"}},
};

}  // namespace memfs::testing
