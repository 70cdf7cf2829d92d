import { Toast } from "@base-ui/react/toast";
import styles from "./toasts.module.css";

const manager = Toast.createToastManager();

/** Says briefly what was done; `undo` appears where there is a way back. */
export function notify(said: { readonly title: string; readonly undo?: () => void }): void {
  const { title, undo } = said;
  const id = manager.add({
    title,
    timeout: undo === undefined ? 5_000 : 10_000,
    ...(undo === undefined
      ? {}
      : {
          actionProps: {
            children: "Undo",
            onClick: () => {
              manager.close(id);
              undo();
            },
          },
        }),
  });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={[]}>
      <Toast.Content className={styles.content}>
        <Toast.Title className={styles.title} render={<p />} />
        {toast.actionProps !== undefined && <Toast.Action className="button" />}
        <Toast.Close className="button quiet" aria-label="Dismiss">
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
