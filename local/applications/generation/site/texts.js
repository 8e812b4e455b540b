// The page's texts in the browser's language, which is also that of the API's messages.

const EN = {
  signIn: 'Sign in', signOut: 'Sign out', user: 'User', password: 'Password', signingIn: 'Signing in…',
  signInLead: 'One goal, eight sub-goals, sixty-four actions.',
  signInHint: 'The user and the password are in the output of byoshin up.',
  wrongPassword: 'The user name or the password is wrong.',
  tooManyAttempts: 'Too many attempts. Wait a little before the next one.',
  sessionEnded: 'Your session has ended. Sign in again.',
  newPassword: 'New password', newPasswordHint: 'This user has to choose a new password first.',
  goals: 'Goals', newGoal: 'New goal', history: 'History', noGoals: 'No goals yet.',
  title: 'Goal', description: 'What does it look like when it is reached?', deadline: 'Deadline',
  background: 'Where do you stand today?', constraints: 'What limits you?', optional: 'optional',
  formLead: 'What do you want to achieve?',
  formHint: 'The goal is broken down into eight sub-goals, each of these into eight actions, and each action into tasks.',
  generate: 'Break it down', example: 'Fill in an example', ofLength: '{n} of {max}',
  untitled: 'Goal of {date}', subGoals: 'Sub-goals', actions: 'Actions', tasks: 'Tasks',
  continueAlone: 'Go on to actions and tasks by itself',
  startActions: 'Find actions', startTasks: 'Find tasks', again: 'Start again', retry: 'Try again', cancel: 'Cancel',
  retryCount: 'retry {n} of {max}', noMoreRetries: 'All {max} retries are used up.', done: 'Complete', working: 'Working', waiting: 'Waiting to start',
  saving: 'The model has answered; saving', of: '{n} of {total}', expected: 'expected by {time}',
  PENDING: 'waiting', PROCESSING: 'working', COMPLETED: 'completed', FAILED: 'failed', TIMEOUT: 'timed out', CANCELLED: 'cancelled',
  SUBGOAL_GENERATION: 'Sub-goals', ACTION_GENERATION: 'Actions', TASK_GENERATION: 'Tasks',
  EXECUTION: 'once', HABIT: 'habit', minutes: '{n} min', hours: '{n} h', allTasks: '{n} tasks, {time}', oneTask: '1 task, {time}',
  noTasks: 'No tasks yet.', noActions: 'No actions yet.', close: 'Close',
  regenerateActions: 'Find actions for this sub-goal', regenerateTasks: 'Find tasks for this action',
  chart: 'Mandala chart', block: 'Part {n}', overview: 'Parts of the chart', center: 'Centre',
  cellGoal: 'Goal: {text}', cellSubGoal: 'Sub-goal {n}: {text}', cellAction: 'Action {n}: {text}', cellEmpty: 'empty', cellDone: 'generated',
  type: 'Type', status: 'Status', progress: 'Progress', created: 'Created', took: 'Took', reason: 'Reason', all: 'all', more: 'More',
  nothing: 'Nothing to show.', loading: 'Loading…',
  unreachable: 'The server can’t be reached. Trying again…', unreachableOnce: 'The server can’t be reached.',
  notDeployed: 'Asynchronous generation is not deployed.', failedProcess: 'The generation has failed.',
  cancelled: 'Cancelled. What was generated until then is not shown.', completedAll: 'The chart is complete.',
};

const JA = {
  signIn: 'ログイン', signOut: 'ログアウト', user: 'ユーザー名', password: 'パスワード', signingIn: 'ログイン中…',
  signInLead: '目標ひとつ、サブ目標8つ、アクション64個。',
  signInHint: 'ユーザー名とパスワードは byoshin up の出力にあります。',
  wrongPassword: 'ユーザー名またはパスワードが違います。',
  tooManyAttempts: '試行回数が多すぎます。しばらくしてからお試しください。',
  sessionEnded: 'セッションが終了しました。もう一度ログインしてください。',
  newPassword: '新しいパスワード', newPasswordHint: '最初に新しいパスワードを設定してください。',
  goals: '目標', newGoal: '新しい目標', history: '履歴', noGoals: '目標はまだありません。',
  title: '目標', description: '達成したらどうなりますか？', deadline: '期限',
  background: '現在の状況', constraints: '制約', optional: '任意',
  formLead: '何を達成したいですか？',
  formHint: '目標を8つのサブ目標に、それぞれを8つのアクションに、さらにタスクに分解します。',
  generate: '分解する', example: '例を入力', ofLength: '{n}／{max}',
  untitled: '{date}の目標', subGoals: 'サブ目標', actions: 'アクション', tasks: 'タスク',
  continueAlone: 'アクションとタスクまで続けて生成する',
  startActions: 'アクションを生成', startTasks: 'タスクを生成', again: 'やり直す', retry: '再試行', cancel: 'キャンセル',
  retryCount: '再試行 {n}／{max}', noMoreRetries: '再試行の上限（{max}回）に達しました。', done: '完了', working: '生成中', waiting: '開始待ち',
  saving: '回答を受け取りました。保存中', of: '{n}／{total}', expected: '{time}ごろ完了予定',
  PENDING: '待機中', PROCESSING: '処理中', COMPLETED: '完了', FAILED: '失敗', TIMEOUT: 'タイムアウト', CANCELLED: 'キャンセル済み',
  SUBGOAL_GENERATION: 'サブ目標', ACTION_GENERATION: 'アクション', TASK_GENERATION: 'タスク',
  EXECUTION: '実行', HABIT: '習慣', minutes: '{n}分', hours: '{n}時間', allTasks: 'タスク{n}件、{time}', oneTask: 'タスク1件、{time}',
  noTasks: 'タスクはまだありません。', noActions: 'アクションはまだありません。', close: '閉じる',
  regenerateActions: 'このサブ目標のアクションを生成', regenerateTasks: 'このアクションのタスクを生成',
  chart: 'マンダラチャート', block: 'ブロック{n}', overview: 'チャートのブロック', center: '中央',
  cellGoal: '目標：{text}', cellSubGoal: 'サブ目標{n}：{text}', cellAction: 'アクション{n}：{text}', cellEmpty: '未生成', cellDone: '生成済み',
  type: '種類', status: '状態', progress: '進捗', created: '作成', took: '所要時間', reason: '理由', all: 'すべて', more: 'さらに表示',
  nothing: '表示するものがありません。', loading: '読み込み中…',
  unreachable: 'サーバーに接続できません。再接続しています…', unreachableOnce: 'サーバーに接続できません。',
  notDeployed: '非同期生成はデプロイされていません。', failedProcess: '生成に失敗しました。',
  cancelled: 'キャンセルしました。それまでに生成された内容は表示されません。', completedAll: 'チャートが完成しました。',
};

const wanted = navigator.languages?.find((one) => /^(ja|en)\b/.test(one)) ?? navigator.language ?? 'en';

export const language = wanted.startsWith('ja') ? 'ja' : 'en';
const texts = language === 'ja' ? JA : EN;

/** t('of', {n: 3, total: 8}): "3 of 8". */
export const t = (name, values = {}) => texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** For what API Gateway itself refuses, in English: its messages are Japanese. */
const PROBLEMS = {
  RATE_LIMIT_EXCEEDED: 'Too many requests. Try again in a little while.', VALIDATION_ERROR: 'Some of the input is invalid.',
  INTERNAL_ERROR: 'An internal error occurred.',
};
export const problemText = (code) => (language === 'en' ? PROBLEMS[code] : undefined);

const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' });
const clocks = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
export const dateText = (iso) => dates.format(new Date(iso));
export const timeText = (iso) => times.format(new Date(iso));
export const clockText = (iso) => clocks.format(new Date(iso));

export const minutesText = (minutes) => (minutes < 120 ? t('minutes', { n: minutes }) : t('hours', { n: Math.round(minutes / 6) / 10 }));

const SECOND = { en: 's', ja: '秒' }[language];
const MINUTE = { en: 'min', ja: '分' }[language];
const gap = language === 'ja' ? '' : ' ';
export const durationText = (ms) => (ms < 60_000 ? `${Math.round(ms / 100) / 10}${gap}${SECOND}` : `${Math.round(ms / 6000) / 10}${gap}${MINUTE}`);

/** A goal for the first try; the deadline is half a year from now. */
export const exampleGoal = () => ({
  ...(language === 'ja' ? {
    title: '個人開発のアプリを公開し、100人に使ってもらう',
    description: '家計簿アプリを公開し、毎週使ってくれる利用者が100人いる状態にする。',
    background: '平日は会社員。試作品はあるが、まだ誰にも見せていない。',
    constraints: '使える時間は週10時間、予算は月5千円まで。',
  } : {
    title: 'Publish my app and win 100 regular users',
    description: 'The budgeting app is in the store, and a hundred people open it every week.',
    background: 'I work full time. There is a prototype that nobody has seen yet.',
    constraints: 'Ten hours a week, and at most 50 euros a month.',
  }),
  deadline: new Date(Date.now() + 182 * 86_400_000).toISOString().slice(0, 10),
});
