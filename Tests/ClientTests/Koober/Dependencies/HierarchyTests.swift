@testable import KooberHierarchy
import KooberOnboarding
import Testing

@MainActor
struct HierarchyTests {
    @Test func `the container of a scope lives as long as what it made there, and no longer`() {
        weak var container: KooberOnboardingDependencyContainer?
        var screen: OnboardingScreen?
        do {
            let made = KooberOnboardingDependencyContainer(appDependencyContainer: KooberAppDependencyContainer())
            container = made
            screen = made.makeOnboardingScreen()
        }
        #expect(container != nil)
        screen?.welcome.viewModel.showSignIn()
        #expect(screen?.viewModel.view == .signIn)
        screen = nil
        #expect(container == nil)
    }
}
