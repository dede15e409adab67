import KooberScreens
import PouchTerminal

extension Page {
    static func welcome(_ context: PageContext) -> Page {
        Page(
            title: "Welcome",
            elements: [
                .blank, .text(StyledText("Rides by kangaroo, all over Sydney.", .bold)), .blank,
                context.button("sign in", "Sign in", .goToSignIn),
                context.button("sign up", "Make an account", .goToSignUp),
            ],
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }
}
