import KooberScreens
import PouchTerminal

/// What a page is given beside the state of its screen.
@MainActor
struct PageContext {
    let state: PageState
    let want: @MainActor (Intention) -> Void
    /// Asks before something that is easily done by mistake.
    let ask: @MainActor (_ question: String, _ yes: String, Intention) -> Void

    var form: Form { state.form }

    func button(_ id: String, _ title: String, _ intention: Intention) -> FormElement {
        .button(id, title) { want(intention) }
    }
}
