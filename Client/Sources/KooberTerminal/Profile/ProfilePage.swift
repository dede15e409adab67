import Foundation
import KooberScreens
import PouchTerminal

extension Page {
    static func profile(_ screen: ProfileScreen, _ context: PageContext) -> Page {
        let facts = [("Name", screen.name), ("E-mail", screen.email), ("Mobile number", screen.mobileNumber)]
        let rows = facts.filter { !$0.1.isEmpty }.map { name, value in
            FormElement.block(
                Row(StyledText(name.padding(toLength: 18, withPad: " ", startingAt: 0), .dim) + StyledText(value)))
        }
        return Page(
            title: "Profile",
            elements: [.blank] + rows + [
                .blank, context.button("close", "Close", .closeProfile),
                context.button("sign out", "Sign out", .signOut),
            ],
            activity: screen.isSigningOut ? "Signing out" : nil, isEnabled: !screen.isSigningOut,
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }
}
