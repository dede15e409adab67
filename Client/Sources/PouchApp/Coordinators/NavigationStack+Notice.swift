import PouchCoordination
import PouchScreens

extension NavigationStack {
    /// Tells something on the highest screen that shows notices and stays: not one to sign in, which goes by itself.
    func tell(_ notice: Notice) {
        let shown = (screens + [topScreen].compactMap(\.self))
            .filter { !($0 is any SignInScreen) && !($0 is any RegisterScreen) }
        shown.reversed().lazy.compactMap { $0 as? any ShopScreen }.first?.notices.append(notice)
    }
}
