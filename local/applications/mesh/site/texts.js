// The page's texts, in the browser's language.

const TEXTS = {
  en: {
    lead: 'Every card is a program of its own, with its own connection. Let one create a group, let the others join, then move sliders and press buttons. Open this page in a second window to let more of them meet.',
    domain: 'Domain', addNode: 'Add a node', node: 'Node', remove: 'Remove',
    createGroup: 'Create a group', groupName: 'Name of the group', groups: 'Groups in this domain', noGroups: 'None yet.',
    join: 'Join', leave: 'Leave', dissolve: 'Dissolve', host: 'host', member: 'member',
    sensors: 'My sensors', temperature: 'temperature', light: 'light', events: 'Events', fire: 'Fire', message: 'Message',
    others: 'The others', nobody: 'Nobody has reported yet.', connected: 'live', lost: 'connecting …',
    notDeployed: 'Mesh is not deployed. Start the cloud with --stack=mesh.', me: 'me',
  },
  ja: {
    lead: 'カード一枚が一つのプログラムで、それぞれ独立した接続を持ちます。一つがグループを作り、ほかが参加したら、スライダーを動かし、ボタンを押してみてください。別のウィンドウでこのページを開くと、そちらのノードとも出会えます。',
    domain: 'ドメイン', addNode: 'ノードを追加', node: 'ノード', remove: '削除',
    createGroup: 'グループを作る', groupName: 'グループ名', groups: 'このドメインのグループ', noGroups: 'まだありません。',
    join: '参加', leave: '退出', dissolve: '解散', host: 'ホスト', member: 'メンバー',
    sensors: '自分のセンサー', temperature: '温度', light: '明るさ', events: 'イベント', fire: '送る', message: 'メッセージ',
    others: 'ほかのノード', nobody: 'まだ報告がありません。', connected: '接続中', lost: '接続しています …',
    notDeployed: 'Mesh がデプロイされていません。--stack=mesh で起動してください。', me: '自分',
  },
};

export const language = navigator.language.startsWith('ja') ? 'ja' : 'en';
export const t = (name) => TEXTS[language][name];
